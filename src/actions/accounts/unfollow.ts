import type { Context } from '../../context.ts'
import { lockPair, readDomains } from '../../domain/relationships/relationship.ts'
import { federate } from '../federate.ts'
import { sever } from './unlink.ts'

/** Ends a follow, or takes back the request for it. False where there was neither. */
export async function unfollow(ctx: Context, tie: { accountId: string; targetAccountId: string }): Promise<boolean> {
  const { accountId, targetAccountId } = tie
  return ctx.transaction(async (tx) => {
    await lockPair(tx, accountId, targetAccountId)
    const severed = await sever(tx, accountId, targetAccountId)
    if (!severed) return false
    const { mine, theirs } = await readDomains(tx, accountId, targetAccountId)
    if (mine === null && theirs !== null)
      await federate(tx, {
        activity: 'follow',
        undo: true,
        accountId,
        targetAccountId,
        followId: severed.id,
      })
    return true
  })
}
