import { normaliseDomain } from '../../ap/handle.ts'
import type { Context } from '../../context.ts'
import { federate, rejectFollowAct, unfollowAct } from '../federate.ts'
import { leaveEachOther } from '../collections/change.ts'
import { removeFromLists } from '../../domain/lists/lists.ts'
import { deleteNotificationsFromDomain } from '../../domain/notifications/list.ts'
import { deleteDomainBlock, insertDomainBlock, type FollowLosses } from '../../domain/relationships/blocks.ts'
import { deleteFollowsWithDomain, type DeletedFollow } from '../../domain/relationships/follows.ts'
import { lockDomainBlocks } from '../../domain/relationships/locks.ts'
import { isLocalDomain } from '../../domain/server/addresses.ts'
import { invalidField } from '../../lib/errors.ts'
import { isServerHost } from '../../lib/http-url.ts'
import { recordSeverance } from '../notifications/notify.ts'

/** Normalises a domain as it is stored. Throws Invalid for text that is no host of a URL, and for this server's own domains. */
export function readDomain(ctx: Context, text: string): string {
  const domain = normaliseDomain(text.trim().replace(/^@/, ''))
  if (domain === null) throw invalidField('domain', 'domain_invalid')
  if (isLocalDomain(ctx, domain)) throw invalidField('domain', 'domain_own')
  return domain
}

/** As readDomain, but throws Invalid for a name that no server can have, too. */
export function checkDomain(ctx: Context, text: string): string {
  const domain = readDomain(ctx, text)
  if (!isServerHost(domain)) throw invalidField('domain', 'domain_invalid')
  return domain
}

/**
 * Blocks a domain, as normalised by `checkDomain`, for one account. Follows and requests in both directions end. The domain's
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
