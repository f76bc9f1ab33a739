import { follow } from '../../../actions/accounts/follow.ts'
import { findLocalTarget, unlessUndone, type Handler } from './incoming.ts'

/** A remote account follows a local one. The Accept or Reject is queued in the same transaction; a request waits. */
export const receiveFollow: Handler = async (ctx, incoming) => {
  const { activity, actor } = incoming
  const target = await findLocalTarget(ctx, activity.objectId)
  if (!target) return
  await unlessUndone(ctx, incoming, (tx) =>
    follow(tx, { accountId: actor.id, targetAccountId: target.id, uri: activity.id }),
  )
}
