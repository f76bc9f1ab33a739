import type { Context } from '../../context.ts'
import { federate, rejectFollowAct, unfollowAct } from '../federate.ts'
import { leaveEachOther } from '../collections/change.ts'
import { removeFromLists } from '../../domain/lists/lists.ts'
import { deleteNotificationsFromDomain } from '../../domain/notifications/list.ts'
import { deleteDomainBlock, insertDomainBlock, type FollowLosses } from '../../domain/relationships/blocks.ts'
import { deleteFollowsWithDomain, type DeletedFollow } from '../../domain/relationships/follows.ts'
import { lockDomainBlocks } from '../../domain/relationships/locks.ts'
import { recordSeverance } from '../notifications/notify.ts'

/**
 * Blocks a domain, in the form of `parseServerDomain`, for one account. Follows and requests in both directions end. The domain's
 * notifications, list members, endorsements and posts in timelines are removed. Its accounts and this one leave each other's
 * collections. A notification tells the account which follows it lost. Returns the losses: none when the domain was already
 * blocked.
 */
export async function blockDomain(ctx: Context, accountId: string, domain: string): Promise<FollowLosses> {
  return ctx.transaction(async (tx) => {
    await lockDomainBlocks(tx, accountId)
    if (!(await insertDomainBlock(tx, accountId, domain))) return { following: 0, followers: 0 }
    const ended = await deleteFollowsWithDomain(tx, accountId, domain)
    const outgoing = ended.filter((row) => row.account_id === accountId)
    const incoming = ended.filter((row) => row.target_account_id === accountId)
    await removeFromLists(
      tx,
      accountId,
      outgoing.map((row) => row.target_account_id),
    )
    await deleteNotificationsFromDomain(tx, accountId, domain)
    await leaveEachOther(tx, accountId, { domain })
    await federate(tx, [...outgoing.map(unfollowAct), ...incoming.map(rejectFollowAct)])
    await tx.enqueue('fanout.rebuild', { accountId })
    const count = (rows: DeletedFollow[]): number => rows.filter(({ accepted }) => accepted).length
    const losses = { following: count(outgoing), followers: count(incoming) }
    await recordSeverance(tx, {
      type: 'user_domain_block',
      targetName: domain,
      losses: [{ accountId, ...losses }],
    })
    return losses
  })
}

/** Does not restore the follows that the block ended. */
export async function unblockDomain(ctx: Context, accountId: string, domain: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    if (await deleteDomainBlock(tx, accountId, domain)) await tx.enqueue('fanout.rebuild', { accountId })
  })
}
