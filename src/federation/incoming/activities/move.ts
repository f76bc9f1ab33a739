import { resolveActor } from '../../../actions/remote/resolve-account.ts'
import { recordMove } from '../../../actions/portability/move.ts'
import type { Handler } from './incoming.ts'

/**
 * Somebody goes on under another account. That counts when both say so: the one that moves by this and in its document, the
 * other by naming it as an alias. Both are read anew.
 */
export const receiveMove: Handler = async (ctx, { activity, actor, forwarded }) => {
  if (forwarded || activity.target === null || activity.target === activity.actor) return
  if (activity.objectId !== null && activity.objectId !== actor.uri) return
  const target = await resolveActor(ctx, activity.target, { refresh: true })
  if (!target || target.suspended_at || !target.also_known_as.includes(actor.uri ?? '')) return
  // Its document names where it went, as far as that is known here and agrees: see upsertActor.
  const mover = await resolveActor(ctx, actor.uri ?? '', { refresh: true })
  if (!mover || mover.id === target.id || mover.moved_to_id !== target.id) return
  await recordMove(ctx, mover.id, target.id)
}
