import type { Context } from '../../context.ts'
import { lockPair, readDomains } from './pair.ts'
import { sever } from './sever.ts'

/** Ends a follow, or takes back the request for it. Nothing happens where there is neither. */
export async function unfollow(ctx: Context, tie: { accountId: string; targetAccountId: string }): Promise<void> {
  const { accountId, targetAccountId } = tie
  await ctx.transaction(async (tx) => {
    await lockPair(tx, accountId, targetAccountId)
    const severed = await sever(tx, accountId, targetAccountId)
    if (!severed) return
    const { mine, theirs } = await readDomains(tx, accountId, targetAccountId)
    if (mine === null && theirs !== null)
      await tx.enqueue('federation.distribute', {
        activity: 'undo-follow',
        accountId,
        targetAccountId,
        followId: severed.id,
      })
  })
}
