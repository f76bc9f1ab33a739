import { follow as makeFollow } from '../../../actions/accounts/follow.ts'
import { findOurs, unlessUndone, type Handler } from './incoming.ts'

/** Somebody follows one of ours. The answer (Accept, Reject, or none while a request waits) goes out with it. */
export const follow: Handler = async (ctx, incoming) => {
  const { activity, actor } = incoming
  const target = await findOurs(ctx, activity.objectId)
  if (!target) return
  await unlessUndone(ctx, incoming, (tx) =>
    makeFollow(tx, { accountId: actor.id, targetAccountId: target.id, uri: activity.id }),
  )
}
