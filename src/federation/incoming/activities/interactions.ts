import { parseLocalUrl } from '../../../domain/server/addresses.ts'
import { isAuthorized } from '../../../actions/remote/authorizations.ts'
import { fetchStatus, receiveNote, reviseNote } from '../../../actions/remote/receive-status.ts'
import { favourite } from '../../../actions/statuses/interactions.ts'
import { deleteStatuses } from '../../../actions/statuses/delete.ts'
import { reblog } from '../../../actions/statuses/reblog.ts'
import { type Activity, parseActivity } from '../../../ap/activity.ts'
import { reblogVisibilityOf } from '../../../ap/audience.ts'
import { isSameHost } from '../../../ap/normalise.ts'
import { parseObject } from '../../../ap/note.ts'
import type { Context } from '../../../context.ts'
import { isAcceptedRelay } from '../../../domain/moderation/relays.ts'
import { lockUnlessDeleted } from '../../../domain/peers/tombstones.ts'
import { isFollowedHere } from '../../../domain/statuses/audience.ts'
import type { InteractionKind } from '../../../domain/statuses/draft.ts'
import { type StatusRow, findStatusByUri } from '../../../domain/statuses/find.ts'
import { findLocalRecipient } from '../../../domain/statuses/local-readers.ts'
import { findReblog } from '../../../domain/statuses/reblogs.ts'
import { moveReblogHere } from '../../../domain/statuses/remote.ts'
import { permissionFor } from '../../../domain/statuses/interaction-policy.ts'
import { findVisibleStatuses, mayReblog } from '../../../domain/statuses/visibility.ts'
import { findAccountUri } from '../../ids.ts'
import { type Handler, type Incoming, trustedObject, unlessUndone } from './incoming.ts'
import { allowIfRestored, removeIfGone, refetchIfKnown } from './objects.ts'

/** The favourite counts if the account may read the status and the author permits it. */
export const receiveLike: Handler = async (ctx, incoming) => {
  const { activity, actor } = incoming
  const known = activity.objectId === null ? null : await findStatusByUri(ctx, activity.objectId)
  if (!known || known.reblog_of_id !== null) return
  const [status] = await findVisibleStatuses(ctx, { accountId: actor.id }, [known.id])
  if (!status) return
  const permit = await permitFor(ctx, incoming, status, 'like')
  if (permit)
    await unlessUndone(
      ctx,
      incoming,
      async (tx) => (await holds(tx, permit)) && favourite(tx, actor.id, status.id, { uri: activity.id, ...permit }),
    )
}

/** Counts a boost of a local status. If the account has local followers, also fetches and boosts other statuses. */
export const receiveAnnounce: Handler = async (ctx, incoming) => {
  const { activity, actor } = incoming
  const wrapped = wrappedIn(activity)
  const uri = wrapped ? await applyWrapped(ctx, incoming, wrapped) : activity.objectId
  if (uri === null) return
  // A relay passes a post on; it does not boost it.
  if (await isAcceptedRelay(ctx, actor)) return void (await fetchStatus(ctx, uri, { silent: false }))
  if (!parseLocalUrl(ctx, uri) && !(await isFollowedHere(ctx, actor.id))) return
  // The server of both counts the boost before it sends it, so that a post that is read now includes it.
  const isCounted = isSameHost(uri, actor.uri ?? '') && (await findStatusByUri(ctx, uri)) === null
  // Authors may boost their posts for followers.
  const readerId = await findLocalRecipient(ctx, actor, uri, activity)
  const statusId = (await storeOwn(ctx, incoming)) ?? (await fetchStatus(ctx, uri, { resolveMentions: true, readerId }))
  if (statusId === null) return
  const [status] = await findVisibleStatuses(ctx, { accountId: actor.id }, [statusId])
  if (!status || status.reblog_of_id !== null || (wrapped && status.reply) || !mayReblog(actor.id, status)) return
  const permit = await permitFor(ctx, incoming, status, 'announce')
  if (!permit) return
  await unlessUndone(ctx, incoming, async (tx) => {
    if (!(await holds(tx, permit))) return
    await reblog(tx, {
      accountId: actor.id,
      statusId,
      visibility: reblogVisibilityOf(activity.to, activity.cc, actor.followers_url),
      uri: activity.id,
      ...permit,
      ...(activity.published ? { createdAt: activity.published } : {}),
    })
    if (isCounted) await moveReblogHere(tx, statusId)
  })
}

/**
 * Pleroma and Mastodon embed the booster's own post for followers, as it cannot be fetched by everyone. A group of Mobilizon
 * announces its event again after each edit, and sends no Update to its followers. Returns the id of the post, or null.
 */
async function storeOwn(ctx: Context, incoming: Incoming): Promise<string | null> {
  const { actor } = incoming
  const note = parseObject(trustedObject(incoming))
  if (note === null || note.attributedTo !== actor.uri) return null
  const id = await receiveNote(ctx, note, actor, { silent: true, resolveMentions: true })
  if (id !== null && note.updated)
    await reviseNote(ctx, note, actor, { statusId: id, editedAt: note.updated, resolveMentions: true })
  return id
}

/**
 * The activity that a group announces (FEP-1b12: Lemmy, PieFed, Mbin), or that the owner of a thread adds to it (FEP-171b:
 * Hubzilla, Mitra); null when the object is not an activity.
 */
export function wrappedIn({ object }: Activity): Activity | null {
  const activity = parseObject(object) === null ? parseActivity(object) : null
  return activity?.objectId ? activity : null
}

/**
 * Applies an activity that a group or the owner of a thread passed on. Its author did not sign it, so objects are fetched from
 * their origin. Returns the URI of a new or restored thread, which the group boosts. Replies in known threads are fetched, likes
 * are ignored.
 */
export async function applyWrapped(ctx: Context, { actor }: Incoming, inner: Activity): Promise<string | null> {
  const uri = inner.objectId
  if (uri === null) return null
  if (inner.type === 'Update') await refetchIfKnown(ctx, uri)
  if (inner.type === 'Delete') await removeFromGroup(ctx, actor.id, uri)
  if (inner.type === 'Undo') return findRestored(ctx, inner)
  if (inner.type !== 'Create') return null
  const parent = parseObject(inner.object)?.inReplyTo ?? null
  if (parent === null) return uri
  if ((await findStatusByUri(ctx, parent)) !== null && (await isFollowedHere(ctx, actor.id)))
    await fetchStatus(ctx, uri, { silent: false })
  return null
}

/**
 * Removes a post that its own server has deleted, and otherwise only its boost: moderators of a group can remove posts from it.
 */
async function removeFromGroup(ctx: Context, groupId: string, uri: string): Promise<void> {
  await removeIfGone(ctx, uri)
  const known = await findStatusByUri(ctx, uri)
  const reblogId = known && (await findReblog(ctx, groupId, known.id))
  if (reblogId) await deleteStatuses(ctx, [reblogId], { authorId: groupId })
}

/** Returns the URI of a status whose deletion a moderator undid. */
async function findRestored(ctx: Context, { object, objectTypes }: Activity): Promise<string | null> {
  const uri = objectTypes.includes('Delete') ? (parseActivity(object)?.objectId ?? null) : null
  if (uri === null) return null
  return (await findStatusByUri(ctx, uri)) || (await allowIfRestored(ctx, uri)) ? uri : null
}

type Permit = { approvalUri?: string }

/**
 * Returns null unless a favourite or boost of a post is permitted: by the policy of its author, or with an authorization that the
 * author's server confirms. May send requests, so it must not run in a transaction.
 */
async function permitFor(
  ctx: Context,
  { activity, actor }: Incoming,
  target: StatusRow,
  kind: InteractionKind,
): Promise<Permit | null> {
  if ((await permissionFor(ctx, target, actor.id, kind)) === 'allowed') return {}
  const { id, authorization } = activity
  if (id === null || authorization === null) return null
  const authorUri = await findAccountUri(ctx, target.account_id)
  const claim = { kind, uri: authorization, authorUri, interactingObject: id, interactionTarget: target.uri }
  return (await isAuthorized(ctx, claim)) ? { approvalUri: authorization } : null
}

/** False when the authorization was withdrawn while it was confirmed. */
const holds = async (tx: Context, { approvalUri }: Permit): Promise<boolean> =>
  approvalUri === undefined || lockUnlessDeleted(tx, approvalUri)
