import { parseActivity } from '../../../ap/activity.ts'
import { asObject, isSameHost, typesOf, urlOf } from '../../../ap/normalise.ts'
import type { Context } from '../../../context.ts'
import { fetchStatus } from '../../../actions/remote/receive-status.ts'
import { deleteStatuses } from '../../../actions/statuses/delete.ts'
import { findReblog } from '../../../domain/statuses/reblogs.ts'
import { findUndoableActivity, type UndoableActivity } from '../../../domain/relationships/follows.ts'
import { unfavourite } from '../../../actions/statuses/interactions.ts'
import { deleteProcessed } from '../../../domain/peers/activities.ts'
import { lockUri, insertExpiringTombstone, undoneKey } from '../../../domain/peers/tombstones.ts'
import { unblock } from '../../../actions/accounts/block.ts'
import { unfollow } from '../../../actions/accounts/follow.ts'
import { findStatusByUri } from '../../../domain/statuses/find.ts'
import { receiveUndoneAccept } from './accept.ts'
import { findLocalTarget, forEachObject, type Handler, type Incoming } from './incoming.ts'
import { allowIfRestored } from './objects.ts'

/** Also works when the Undo arrives before the activity that it undoes. */
export const receiveUndo: Handler = forEachObject(async (ctx, incoming) => {
  const { activity, actor } = incoming
  const { objectId } = activity
  const accepted = activity.objectTypes.includes('Accept') ? parseActivity(activity.object) : null
  if (accepted?.actor === activity.actor) return receiveUndoneAccept(ctx, { ...incoming, activity: accepted })
  if (objectId !== null && !isSameHost(objectId, actor.uri ?? '')) return cancelRequest(ctx, incoming)
  if (activity.objectTypes.includes('Delete')) return restore(ctx, incoming)
  const key = objectId === null ? null : undoneKey(actor.uri ?? '', objectId)
  await ctx.transaction(async (tx) => {
    if (key !== null) {
      await lockUri(tx, key)
      await deleteProcessed(tx, actor.uri ?? '', objectId ?? '')
    }
    const undoable =
      (objectId === null ? null : await findUndoableActivity(tx, actor.id, objectId)) ??
      (await findDescribed(tx, incoming))
    const isUndone = undoable !== null && (await undoActivity(tx, actor.id, undoable))
    // The Undo may have overtaken its activity.
    if (!isUndone && key !== null) await insertExpiringTombstone(tx, key)
  })
})

/** Lemmy undoes the Delete of a post. The post is fetched from its own server, which is that of the actor. */
async function restore(ctx: Context, { activity, actor }: Incoming): Promise<void> {
  const uri = parseActivity(activity.object)?.objectId ?? null
  if (uri !== null && isSameHost(uri, actor.uri ?? '') && (await allowIfRestored(ctx, uri))) await fetchStatus(ctx, uri)
}

/** snac names the account instead of its Follow while that is not accepted. */
async function cancelRequest(ctx: Context, { activity, actor }: Incoming): Promise<void> {
  const target = typeof activity.object === 'string' ? await findLocalTarget(ctx, activity.object) : null
  if (target) await unfollow(ctx, { accountId: actor.id, targetAccountId: target.id })
}

/** Finds the activity by its embedded type and object, for servers that use a new id in the Undo. */
async function findDescribed(tx: Context, { activity, actor }: Incoming): Promise<UndoableActivity | null> {
  const object = asObject(activity.object)
  if (object === null || (urlOf(object['actor']) ?? actor.uri) !== actor.uri) return null
  const [type] = typesOf(object)
  const what = urlOf(object['object'])
  if (what === null) return null
  if (type === 'Follow' || type === 'Block') {
    const target = await findLocalTarget(tx, what)
    return target && { kind: type === 'Follow' ? 'follow' : 'block', target: target.id }
  }
  // An EmojiReact is no favourite, so its Undo must not remove one.
  const status = type === 'Like' || type === 'Announce' ? await findStatusByUri(tx, what) : null
  return status && { kind: type === 'Announce' ? 'reblog' : 'favourite', target: status.id }
}

/** Returns false when there was nothing to undo. */
async function undoActivity(tx: Context, accountId: string, { kind, target }: UndoableActivity): Promise<boolean> {
  if (kind === 'follow') return unfollow(tx, { accountId, targetAccountId: target })
  if (kind === 'block') return unblock(tx, { accountId, targetAccountId: target })
  if (kind === 'favourite') return unfavourite(tx, accountId, target)
  const reblogId = await findReblog(tx, accountId, target)
  return reblogId !== null && (await deleteStatuses(tx, [reblogId], { authorId: accountId })).length > 0
}
