import { block } from '../../../actions/accounts/block.ts'
import { findLocalTarget, unlessUndone, type Handler } from './incoming.ts'

/** A remote account blocks a local one. */
export const receiveBlock: Handler = async (ctx, incoming) => {
  const { activity, actor } = incoming
  const target = await findLocalTarget(ctx, activity.objectId)
  if (target)
    await unlessUndone(ctx, incoming, (tx) =>
      block(tx, { accountId: actor.id, targetAccountId: target.id, uri: activity.id }),
    )
}
