import { FetchError, isGone } from '../../net/fetch-error.ts'
import { createdIn } from '../../ap/activity.ts'
import { isSameHost } from '../../ap/normalise.ts'
import { parseObject, type Note } from '../../ap/note.ts'
import type { Context } from '../../context.ts'
import { NotFound } from '../../lib/errors.ts'
import { fetchDocument } from '../../domain/accounts/documents.ts'
import { type AccountRow, findAccount } from '../../domain/accounts/find.ts'
import { resolveActor } from './resolve-account.ts'
import { parseLocalUrl } from '../../domain/server/addresses.ts'
import { lockUnlessDeleted, lockUri } from '../../domain/peers/tombstones.ts'
import { indexStatuses } from '../../domain/search/status-index.ts'
import { findIdByPage, findStatusByUri } from '../../domain/statuses/find.ts'
import { recordRemoteEmojis } from '../../domain/emojis/remote.ts'
import { shareTransaction } from '../shared-transaction.ts'
import { draftOfNote, type RemoteDraft } from './draft-of-note.ts'
import { reviseQuote } from '../../domain/statuses/quotes/quotes.ts'
import { findLocalReader } from '../../domain/statuses/local-readers.ts'
import {
  findReceived,
  lockStatus,
  markEdited,
  storeClaimedApproval,
  storeCountsElsewhere,
} from '../../domain/statuses/remote.ts'
import { deleteStatuses } from '../statuses/delete.ts'
import { editStatus } from '../statuses/edit.ts'
import { resolveMentionsLater } from '../statuses/late-mentions.ts'
import { publishStatus, spreadFetchedStatus } from '../statuses/publish.ts'

export type FetchStatusOptions = {
  /** No feeds, notifications or streams. Default: true, as most fetched statuses are old. */
  silent?: boolean
  /** A job fetches its ancestors. Default: true. */
  thread?: boolean
  /** A job fetches the status that it quotes. Default: true. */
  quotes?: boolean
  /** Resolves unknown mentioned accounts. Default: unless silent. */
  resolveMentions?: boolean
  /** The expected author. Does not store a status by another author, nor resolve that author. */
  authorUri?: string
  /** The local account that signs the request, if the status is not public. Default: the instance actor. */
  readerId?: string | null
}

/**
 * The id of a status that is stored, or fetched from its server. Null if there is no status, or it cannot be reached or trusted.
 * The caller checks who may see it. Never call it in a transaction.
 */
export async function fetchStatusOrNull(
  ctx: Context,
  uri: string,
  options: FetchStatusOptions = {},
): Promise<string | null> {
  try {
    return await fetchStatus(ctx, uri, options)
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    ctx.log.debug({ err: error, uri }, 'status.unreachable')
    return null
  }
}

/** As fetchStatusOrNull, but throws FetchError when the server cannot be reached. */
export async function fetchStatus(ctx: Context, uri: string, options: FetchStatusOptions = {}): Promise<string | null> {
  const known = (await findStatusByUri(ctx, uri))?.id ?? (await findIdByPage(ctx, uri))
  if (known || parseLocalUrl(ctx, uri)) return known
  const note = await fetchNote(ctx, uri, options.readerId)
  if (!note || (options.authorUri !== undefined && note.attributedTo !== options.authorUri)) return null
  const author = await resolveActor(ctx, note.attributedTo)
  if (!author || author.domain === null || author.suspended_at !== null) return null
  const { silent = true, quotes = true, resolveMentions = !silent } = options
  const id = await receiveNote(ctx, note, author, { silent, quotes, resolveMentions })
  if (id && options.thread !== false && note.inReplyTo !== null)
    await ctx.enqueue('federation.thread', { statusId: id }, { key: id })
  return id
}

/**
 * The post at an address, or that of the Create there. Null unless the author is on the same host. `readerId`: see
 * FetchStatusOptions. Throws FetchError.
 */
export async function fetchNote(ctx: Context, uri: string, readerId: string | null = null): Promise<Note | null> {
  const { json } = await fetchDocument(ctx, uri, readerId)
  const created = createdIn(json)
  const note = parseObject(
    created === null ? json : (await fetchDocument(ctx, created, isSameHost(created, uri) ? readerId : null)).json,
  )
  return note && isSameHost(note.id, note.attributedTo) ? note : null
}

/**
 * Stores a note whose author the caller has verified. Returns the id, also of a status that was stored before; one that was
 * stored silently enters feeds now, unless `silent`. Null if it was deleted, or is stored with another author. Never call it in a
 * transaction.
 */
export async function receiveNote(
  ctx: Context,
  note: Note,
  author: AccountRow,
  { silent = false, quotes = true, ...options }: { silent?: boolean; quotes?: boolean; resolveMentions?: boolean } = {},
): Promise<string | null> {
  const { id, authorId, deleted, silent: wasFetched } = await findReceived(ctx, note.id)
  if (id !== null) {
    if (authorId !== author.id) return null
    if (wasFetched && !silent) await spreadFetchedStatus(ctx, id)
    return id
  }
  if (deleted) return null
  const draft = await draftOfNote(ctx, note, author, options)
  return shareTransaction(ctx, async (tx) => {
    if (!(await lockUnlessDeleted(tx, note.id))) return null
    const inserted = await publishReceived(tx, { ...draft, silent }, note)
    if (!inserted.created) {
      if (!silent) await spreadFetchedStatus(tx, inserted.id)
      return inserted.id
    }
    await recordRemoteEmojis(tx, author.domain, draft.emojis ?? [])
    if (note.updated && note.published && note.updated > note.published) await markEdited(tx, inserted.id, note.updated)
    if (note.likesCount || note.sharesCount) await storeCountsElsewhere(tx, note)
    if (draft.remoteMedia?.length) await tx.enqueue('media.cache', { statusId: inserted.id })
    await resolveUnreachedLater(tx, inserted.id, draft)
    if (quotes) await enqueueQuote(tx, inserted.id, draft)
    if (draft.approval && draft.approvalUri) await tx.enqueue('federation.approval', { statusId: inserted.id, silent })
    return inserted.id
  })
}

async function resolveUnreachedLater(tx: Context, statusId: string, draft: RemoteDraft): Promise<void> {
  const { accountId, unreachedMentions: uris } = draft
  if (uris.length > 0) await resolveMentionsLater(tx, { statusId, accountId, attempt: 0, uris })
}

async function enqueueQuote(tx: Context, statusId: string, { quote }: RemoteDraft): Promise<void> {
  if (quote?.state === 'pending' && (quote.statusId === null || quote.approvalUri))
    await tx.enqueue('federation.quote', { statusId }, { key: statusId })
}

async function publishReceived(tx: Context, draft: RemoteDraft, note: Note): Promise<{ id: string; created: boolean }> {
  // The parent may have been deleted since the draft was made: the reply then names it by its ActivityPub id.
  const isGone = draft.inReplyToId && !(await lockStatus(tx, draft.inReplyToId))
  const current = isGone ? { ...draft, inReplyToId: null, inReplyToUri: note.inReplyTo, approval: null } : draft
  return publishStatus(tx, current)
}

/** Reads a status again from its own server. Ignores a document with another id or author. Throws FetchError. */
export async function refetchStatus(
  ctx: Context,
  { statusId, authorId, uri }: { statusId: string; authorId: string; uri: string },
): Promise<void> {
  const [reader, author] = await Promise.all([findLocalReader(ctx, statusId), findAccount(ctx, authorId)])
  const note = await fetchNote(ctx, uri, reader)
  if (note && author && note.id === uri && note.attributedTo === author.uri)
    await reviseNote(ctx, note, author, { statusId, editedAt: note.updated ?? new Date() })
}

/**
 * Fetches a stored status again, in case no delivery told this server of a change. One that is gone (410) is deleted. One that is
 * not found (404) stays, as a server may say this of posts that it does not show to this one. Null when there is no note.
 * `readerId`: see FetchStatusOptions. Never call it in a transaction. Throws FetchError.
 */
export async function catchUpOnStatus(ctx: Context, uri: string, readerId: string | null = null): Promise<Note | null> {
  const known = await findStatusByUri(ctx, uri)
  const author = known && (await findAccount(ctx, known.account_id))
  const note = await fetchNote(ctx, uri, readerId).catch(async (error: unknown) => {
    if (isGone(error) && known?.local === false) await deleteStatuses(ctx, [known.id], { authorId: known.account_id })
    throw error
  })
  if (!note || !author || note.id !== uri || note.attributedTo !== author.uri) return note
  const isEdited = note.updated !== null && note.updated > (known.edited_at ?? known.created_at)
  const options = { editedAt: isEdited ? note.updated : null, resolveMentions: isEdited }
  await reviseNote(ctx, note, author, { statusId: known.id, ...options })
  return note
}

/**
 * Edits the stored status as its author's note says. Ignores a note that is older than the last edit. `editedAt`: null when the
 * status was not edited, so that only its policies, counts, quote and approval may differ.
 */
export async function reviseNote(
  ctx: Context,
  note: Note,
  author: AccountRow,
  { statusId, editedAt, ...options }: { statusId: string; editedAt: Date | null; resolveMentions?: boolean },
): Promise<void> {
  const draft = await draftOfNote(ctx, note, author, options)
  const policies = { quotePolicy: draft.quotePolicy ?? 0, interactionPolicy: draft.interactionPolicy ?? null }
  await ctx
    .transaction(async (tx) => {
      await lockUri(tx, note.id)
      // A note removes what it leaves out.
      const changes = editedAt && {
        ...draft,
        poll: draft.poll ?? null,
        editedAt: new Date(Math.min(editedAt.getTime(), Date.now())),
      }
      const changed = await editStatus(tx, statusId, { ...changes, ...policies })
      await storeCountsElsewhere(tx, note)
      if (draft.approvalUri && (await storeClaimedApproval(tx, statusId, draft.approvalUri)))
        await tx.enqueue('federation.approval', { statusId, silent: false })
      if (await reviseQuote(tx, { id: statusId, accountId: author.id }, draft.quote ?? null)) {
        await enqueueQuote(tx, statusId, draft)
        await indexStatuses(tx, [statusId])
        tx.publish({ type: 'status.edited', id: statusId })
      }
      if (changed && editedAt) await resolveUnreachedLater(tx, statusId, draft)
      if (changed && editedAt && draft.remoteMedia?.length) await tx.enqueue('media.cache', { statusId })
    })
    .catch((error: unknown) => {
      // The status was deleted meanwhile.
      if (!(error instanceof NotFound)) throw error
    })
}
