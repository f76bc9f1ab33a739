import { block as makeBlock } from '../../../actions/accounts/block.ts'
import { findOurs, unlessUndone, type Handler } from './incoming.ts'

/** Somebody blocks one of ours. */
export const block: Handler = async (ctx, incoming) => {
  const { activity, actor } = incoming
  const target = await findOurs(ctx, activity.objectId)
  if (target)
    await unlessUndone(ctx, incoming, (tx) =>
      makeBlock(tx, { accountId: actor.id, targetAccountId: target.id, uri: activity.id }),
    )
}
