import { follow } from '../../../actions/accounts/follow.ts'
import { findLocalTarget, unlessUndone, type Handler } from './incoming.ts'

/** Somebody follows one of ours. The answer (Accept, Reject, or none while a request waits) goes out with it. */
export const receiveFollow: Handler = async (ctx, incoming) => {
  const { activity, actor } = incoming
  const target = await findLocalTarget(ctx, activity.objectId)
  if (!target) return
  await unlessUndone(ctx, incoming, (tx) =>
    follow(tx, { accountId: actor.id, targetAccountId: target.id, uri: activity.id }),
  )
}
