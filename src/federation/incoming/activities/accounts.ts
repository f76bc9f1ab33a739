import { block } from '../../../actions/accounts/block.ts'
import { follow, unfollow } from '../../../actions/accounts/follow.ts'
import { recordMove } from '../../../actions/portability/move.ts'
import { resolveActor } from '../../../actions/remote/resolve-account.ts'
import type { Context } from '../../../context.ts'
import type { AccountRow } from '../../../domain/accounts/find.ts'
import { accountUri } from '../../../domain/server/addresses.ts'
import { reserveUses } from '../../../domain/server/rate-limits.ts'
import { type Handler, findLocalTarget, unlessUndone } from './incoming.ts'

/** Queues the Accept or Reject in the same transaction. A locked account gets a follow request instead. */
export const receiveFollow: Handler = async (ctx, incoming) => {
  const { activity, actor } = incoming
  const target = await findLocalTarget(ctx, activity.objectId)
  if (!target) return
  await unlessUndone(ctx, incoming, (tx) =>
    follow(tx, { accountId: actor.id, targetAccountId: target.id, uri: activity.id }),
  )
}

/**
 * Moderators of Lemmy and Mbin send a Block with a `target` to ban an account from their group or server: it is not their own.
 */
export const receiveBlock: Handler = async (ctx, incoming) => {
  const { activity, actor } = incoming
  if (activity.target !== null) return
  const target = await findLocalTarget(ctx, activity.objectId)
  if (!target) return
  const [blocker, blocked] = [actor.id, target.id]
  const isInForce = await unlessUndone(ctx, incoming, (tx) =>
    block(tx, { accountId: blocker, targetAccountId: blocked, uri: activity.id }),
  )
  if (isInForce) return
  // The blocker's server has ended the follows, and an Undo does not restore them.
  await unfollow(ctx, { accountId: blocker, targetAccountId: blocked })
  await unfollow(ctx, { accountId: blocked, targetAccountId: blocker })
}

/** Moves of one account within MOVE_SECONDS that its followers join. */
const MAX_MOVES = 5
const MOVE_SECONDS = 7 * 86_400

/**
 * Fetches both accounts again: the moving account must name its target, and the target must list it as an alias. Limited, as an
 * account could otherwise move its followers back and forth, which changes their follows and home feeds each time.
 */
export const receiveMove: Handler = async (ctx, { activity, actor, forwarded }) => {
  if (forwarded || activity.target === null || activity.target === activity.actor) return
  if (activity.objectId !== null && activity.objectId !== actor.uri) return
  if ((await reserveUses(ctx, `move ${actor.id}`, MAX_MOVES, MOVE_SECONDS)).granted === 0) return
  const target = await resolveActor(ctx, activity.target, { refresh: true })
  if (!target || target.suspended_at || !target.also_known_as.includes(actor.uri ?? '')) return
  // An Update of the mover arrives together with the Move, and its fetch may have begun before the target was known.
  const mover = await resolveActor(ctx, actor.uri ?? '', { refresh: true, alone: true })
  if (!mover || mover.id === target.id || !namesTarget(ctx, mover, target)) return
  await recordMove(ctx, mover.id, target.id)
}

/**
 * The document of the moving account names the new one too: as `movedTo`, or on servers without it, such as snac, as an alias.
 */
const namesTarget = (ctx: Context, mover: AccountRow, target: AccountRow): boolean =>
  mover.moved_to_id === null
    ? mover.also_known_as.includes(target.uri ?? accountUri(ctx, target.username))
    : mover.moved_to_id === target.id
