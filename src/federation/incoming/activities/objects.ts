import { findQuoteByApproval } from '../../../domain/statuses/quotes/quotes.ts'
import { findInteractionByApproval } from '../../../domain/statuses/approvals.ts'
import { purgeRemoteAccount } from '../../../actions/accounts/delete.ts'
import { rejectItem } from '../../../actions/collections/change.ts'
import { removeRemoteCollection } from '../../../actions/collections/remote.ts'
import { JUST_READ_MS } from '../../../actions/remote/refresh-account.ts'
import { fetchStatus, receiveNote, refetchStatus, reviseNote } from '../../../actions/remote/receive-status.ts'
import { fetchActor } from '../../../actions/remote/resolve-account.ts'
import { rejectInteraction } from '../../../actions/statuses/approvals.ts'
import { deleteStatuses } from '../../../actions/statuses/delete.ts'
import { rejectQuote } from '../../../actions/statuses/quote.ts'
import { receiveVote } from '../../../actions/statuses/polls.ts'
import { isEncryptedMessage } from '../../../ap/devices.ts'
import { asObject, isSameHost, typesOf } from '../../../ap/normalise.ts'
import { type Note, parseObject, parseVote } from '../../../ap/note.ts'
import type { Context } from '../../../context.ts'
import type { AccountRow } from '../../../domain/accounts/find.ts'
import { reserveUses } from '../../../domain/server/rate-limits.ts'
import { fetchDocument } from '../../../domain/accounts/documents.ts'
import { findItemByApproval } from '../../../domain/collections/items.ts'
import { findRemoteCollection } from '../../../domain/collections/remote.ts'
import { deleteTombstone, lockUri, insertExpiringTombstone, wasDeletedHere } from '../../../domain/peers/tombstones.ts'
import { isAcceptedRelay } from '../../../domain/moderation/relays.ts'
import { isFollowedHere, isRelevant } from '../../../domain/statuses/audience.ts'
import { findStatusByUri } from '../../../domain/statuses/find.ts'
import { findLocalReader, findLocalRecipient } from '../../../domain/statuses/local-readers.ts'
import { isAddressedHere } from '../../../domain/statuses/mentions.ts'
import { findVisibleStatuses, isPublicOrUnlisted } from '../../../domain/statuses/visibility.ts'
import { receiveFeaturedCollection } from './collections.ts'
import { receiveEncryptedMessage } from './encrypted-message.ts'
import { forEachObject, type Handler, type Incoming, trustedObject } from './incoming.ts'
import { isMissing } from '../../../net/fetch-error.ts'

export const receiveCreate: Handler = forEachObject(receiveCreated)

async function receiveCreated(ctx: Context, incoming: Incoming): Promise<void> {
  const { activity, actor } = incoming
  if (isEncryptedMessage(activity.objectTypes)) return receiveEncryptedMessage(ctx, incoming)
  const object = trustedObject(incoming)
  const sent = parseObject(object, activity.actor)
  if (!sent || sent.attributedTo !== actor.uri) return fetchInstead(ctx, incoming)
  const vote = parseVote(sent, object)
  if (vote) return countVote(ctx, incoming, vote)
  const note = withRecipients(sent, activity)
  if (await isRelevant(ctx, note, actor.id)) await receiveNote(ctx, note, actor, { resolveMentions: true })
}

/** Some servers address only the activity. */
function withRecipients(note: Note, { to, cc, hiddenRecipients }: Incoming['activity']): Note {
  const open = note.to.length + note.cc.length === 0 ? { to, cc } : {}
  return { ...note, ...open, hiddenRecipients: [...new Set([...note.hiddenRecipients, ...hiddenRecipients])] }
}

async function countVote(ctx: Context, { actor }: Incoming, vote: { option: string; question: string }): Promise<void> {
  const known = await findStatusByUri(ctx, vote.question)
  const [status] = known?.local ? await findVisibleStatuses(ctx, { accountId: actor.id }, [known.id]) : []
  if (status) await receiveVote(ctx, actor.id, status.id, vote.option)
}

/**
 * Fetches an object by another author, or one that was sent as an id, from its origin. Only if the sender has local followers, or
 * the object addresses a local account or replies to a known status.
 */
async function fetchInstead(ctx: Context, { activity, actor, forwarded }: Incoming): Promise<void> {
  if (activity.objectId === null) return
  const hint = parseObject(activity.object)
  const repliesToKnown = hint?.inReplyTo ? (await findStatusByUri(ctx, hint.inReplyTo)) !== null : false
  const isWanted = async (): Promise<boolean> =>
    (await isFollowedHere(ctx, actor.id)) || isAddressedHere(ctx, { ...activity, tags: [] })
  if (repliesToKnown || (!forwarded && (await isWanted())) || (await isAcceptedRelay(ctx, actor)))
    await fetchStatus(ctx, activity.objectId, {
      silent: false,
      readerId: forwarded ? null : await findLocalRecipient(ctx, actor, activity.objectId, activity),
    })
}

export const receiveUpdate: Handler = async (ctx, incoming) => {
  const { activity, actor, forwarded } = incoming
  if (activity.objectId === null) return
  if (activity.objectId === activity.actor) {
    if (!forwarded) await readProfile(ctx, actor)
    return
  }
  if (await receiveFeaturedCollection(ctx, incoming)) return
  const note = parseObject(trustedObject(incoming), activity.actor)
  if (note?.attributedTo === actor.uri) return applyUpdate(ctx, incoming, note)
  // The embedded object is not trusted: fetch the status from its origin.
  await refetchIfKnown(ctx, activity.objectId)
}

/** Updates of one profile within PROFILE_SECONDS that are followed at once. */
const MAX_PROFILES = 30
const PROFILE_SECONDS = 1800

/**
 * Updates may arrive in any order, so the current document is fetched. Each change may have images fetched, links verified and
 * all posts indexed again, so that of many Updates the last ones are followed together, later.
 */
async function readProfile(ctx: Context, actor: AccountRow): Promise<void> {
  const { granted, ms } = await reserveUses(ctx, `profile ${actor.id}`, MAX_PROFILES, PROFILE_SECONDS)
  if (granted > 0) return void (await fetchActor(ctx, actor.uri ?? '', { changed: true }))
  const options = { key: actor.id, delay: Math.ceil((ms + JUST_READ_MS) / 1000) }
  await ctx.enqueue('federation.refresh', { accountId: actor.id, force: true }, options)
}

export async function refetchIfKnown(ctx: Context, uri: string): Promise<void> {
  const known = await findStatusByUri(ctx, uri)
  if (known && known.domain !== null && known.reblog_of_id === null)
    await refetchStatus(ctx, { statusId: known.id, authorId: known.account_id, uri })
}

/** Milliseconds after which an unknown status enters no feeds and causes no notifications when it is edited. */
const MAX_NEWS_AGE = 24 * 3_600_000

async function applyUpdate(ctx: Context, { activity, actor }: Incoming, sent: Note): Promise<void> {
  const note = withRecipients(sent, activity)
  const known = await findStatusByUri(ctx, note.id)
  if (known) {
    if (known.account_id !== actor.id || known.reblog_of_id !== null) return
    const editedAt = note.updated ?? activity.published
    // Without a date, such as for the results of a poll, it may be older than the last edit.
    if (editedAt === null && known.edited_at !== null) return refetchIfKnown(ctx, note.id)
    const at = editedAt ?? new Date()
    await reviseNote(ctx, note, actor, { statusId: known.id, editedAt: at, resolveMentions: true })
  } else if (await isRelevant(ctx, note, actor.id)) {
    // The Update arrived before the Create, which will find the status stored; an old status was never received, and is no news.
    const silent = note.published !== null && note.published.getTime() < Date.now() - MAX_NEWS_AGE
    await receiveNote(ctx, note, actor, { silent, resolveMentions: !silent })
  }
}

export const receiveDelete: Handler = forEachObject(receiveDeleted)

async function receiveDeleted(ctx: Context, { activity, actor, forwarded }: Incoming): Promise<void> {
  const uri = activity.objectId
  if (uri === null) return
  if (forwarded) return removeIfGone(ctx, uri)
  if (uri === actor.uri) {
    // The row of a suspended account stays: without it, the account would return as an unknown one.
    if (actor.suspended_at === null) await purgeRemoteAccount(ctx, actor.id, { byItsServer: true })
    return
  }
  if (!isSameHost(uri, actor.uri ?? '')) return
  const collection = await findRemoteCollection(ctx, uri)
  if (collection?.account_id === actor.id) return removeRemoteCollection(ctx, actor.id, uri)
  if (collection) return
  await ctx.transaction(async (tx) => {
    await lockUri(tx, uri)
    const known = await findStatusByUri(tx, uri)
    if (known) await deleteStatuses(tx, [known.id], { authorId: actor.id })
    else await insertExpiringTombstone(tx, uri)
  })
  // An answer that arrives from now on finds the tombstone.
  await revokeAuthorization(ctx, uri, actor.id)
}

/** For the Delete of the authorization of a quote, an interaction or a place in a collection. Does nothing for other objects. */
async function revokeAuthorization(ctx: Context, uri: string, authorId: string): Promise<void> {
  const quoteId = await findQuoteByApproval(ctx, uri, authorId)
  if (quoteId !== null) await rejectQuote(ctx, quoteId, 'revoked')
  const itemId = await findItemByApproval(ctx, uri, authorId)
  if (itemId !== null) await rejectItem(ctx, itemId, 'revoked')
  const interaction = await findInteractionByApproval(ctx, uri, authorId)
  if (interaction) await rejectInteraction(ctx, interaction, 'revoked')
}

/**
 * Deletes a remote status that its own server no longer has, after another server reported the deletion. To accounts that may not
 * read a status, its server says the same as if it were gone, so one that may asks for it.
 */
export async function removeIfGone(ctx: Context, uri: string): Promise<void> {
  const known = await findStatusByUri(ctx, uri)
  if (!known || known.domain === null) return
  const reader = await findLocalReader(ctx, known.id)
  if (reader === null && !isPublicOrUnlisted(known.visibility)) return
  if (await existsAtOrigin(ctx, uri, reader)) return
  await deleteStatuses(ctx, [known.id], { authorId: known.account_id })
}

/**
 * Lets a status that was stored and deleted here be stored again if its own server has restored it, and returns whether it has.
 * Sends no request for other statuses.
 */
export async function allowIfRestored(ctx: Context, uri: string): Promise<boolean> {
  if (!(await wasDeletedHere(ctx, uri)) || !(await existsAtOrigin(ctx, uri))) return false
  return ctx.transaction(async (tx) => {
    await lockUri(tx, uri)
    return deleteTombstone(tx, uri)
  })
}

async function existsAtOrigin(ctx: Context, uri: string, reader: string | null = null): Promise<boolean> {
  try {
    const document = asObject((await fetchDocument(ctx, uri, reader)).json)
    return document === null || !typesOf(document).includes('Tombstone')
  } catch (error) {
    if (!isMissing(error)) throw error
    return false
  }
}
