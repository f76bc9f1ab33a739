import { resolveActor } from '../../../actions/remote/resolve-account.ts'
import { recordMove } from '../../../actions/portability/move.ts'
import type { Handler } from './incoming.ts'

/**
 * A remote account moves to another one. Both are fetched again: the moving account must name its target, and the target must
 * list it as an alias.
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
