import type { Context } from '../../context.ts'
import {
  type ActiveSeverance,
  followAccountsOf,
  findActiveSeverance,
  findSeverance,
  finishSevering,
  insertDomainSeverances,
  insertSeverance,
  linkSeveranceEvents,
  listRestorable,
  type SeveranceRow,
  type SeveranceTarget,
  type SeveredFollow,
  severNext,
} from '../../domain/moderation/severed.ts'
import { readEffects, suspendChunk } from '../../domain/moderation/domain-effects.ts'
import { finishRestoration, listDeferred, requestRestoration, restoreNext } from '../../domain/moderation/restore.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { federate, followAct, rejectFollowAct, unfollowAct } from '../federate.ts'
import { recordSeverance } from '../notifications/notify.ts'
import { changeAccountsOf } from './change-accounts.ts'

/**
 * Removes all follows and follow requests between local accounts and a domain, or one account, local or remote. A job does it,
 * notifies the local accounts, and stores what it removed for 30 days (`restoreSeverances`). `announced`: other servers receive
 * an Undo or Reject of each follow; not for a domain that was blocked, as nothing is delivered to it. Call it in the transaction
 * of the act. Returns the id.
 */
export async function startSeverance(
  tx: Context,
  target: SeveranceTarget,
  { announced }: { announced: boolean },
): Promise<string> {
  const severanceId = await insertSeverance(tx, target, announced)
  await tx.enqueue('moderation.sever', { severanceId })
  return severanceId
}

/** As startSeverance, for domains that are suspended: nothing is sent to them. */
export async function severDomains(tx: Context, domains: readonly string[]): Promise<void> {
  const ids = await insertDomainSeverances(tx, domains)
  await tx.enqueueMany(
    'moderation.sever',
    ids.map((severanceId) => ({ severanceId })),
  )
}

/** Job `moderation.sever`. */
export async function runSeverance(ctx: Context, { severanceId }: JobData['moderation.sever']): Promise<void> {
  const found = await findActiveSeverance(ctx, severanceId)
  if (!found) return
  const severance = { ...found, domains: found.announced ? found.domains : await suspendFirst(ctx, found) }
  while (await ctx.transaction((tx) => severChunk(tx, severance)));
  await finishSevering(ctx, severanceId)
}

/**
 * Suspends the accounts of a blocked domain, so that no follow begins after those that exist were severed: a follow locks its
 * accounts. Returns the domains whose follows end.
 */
async function suspendFirst(
  ctx: Context,
  { target_name: domain, domains }: ActiveSeverance,
): Promise<readonly string[]> {
  const { suspended } = await readEffects(ctx, domains)
  await changeAccountsOf(ctx, domain, suspended, suspendChunk)
  // A domain that left the list of limited federation mode may have a parent, or subdomains, that are still on it.
  return ctx.config.limitedFederation ? suspended : domains
}

async function severChunk(tx: Context, severance: ActiveSeverance): Promise<boolean> {
  const severed = await severNext(tx, severance)
  if (severed.length === 0) return false
  const events = await recordSeverance(tx, {
    type: severance.type,
    targetName: severance.target_name,
    losses: lossesOf(severed),
    severanceId: severance.id,
  })
  await linkSeveranceEvents(tx, severance.id, events)
  await rebuildFeedsOf(
    tx,
    severed
      .filter((row) => row.direction === 'following' || row.other_domain === null)
      .map((row) => followAccountsOf(row).account_id),
  )
  if (severance.announced) await federateEnds(tx, severed)
  return true
}

function lossesOf(severed: readonly SeveredFollow[]): { accountId: string; followers: number; following: number }[] {
  const losses = new Map<string, { accountId: string; followers: number; following: number }>()
  for (const { local_account_id: accountId, direction, pending } of severed) {
    const loss = losses.get(accountId) ?? { accountId, followers: 0, following: 0 }
    losses.set(accountId, loss)
    if (!pending) loss[direction === 'following' ? 'following' : 'followers']++
  }
  return [...losses.values()]
}

const rebuildFeedsOf = (tx: Context, accountIds: readonly string[]): Promise<void> =>
  tx.enqueueMany(
    'fanout.rebuild',
    [...new Set(accountIds)].map((accountId) => ({ accountId })),
  )

async function federateEnds(tx: Context, severed: readonly SeveredFollow[]): Promise<void> {
  const remote = severed.filter((row) => row.other_domain !== null)
  await federate(
    tx,
    remote.map((row) => {
      const follow = { ...followAccountsOf(row), id: row.id, uri: row.uri }
      return row.direction === 'following' ? unfollowAct(follow) : rejectFollowAct(follow)
    }),
  )
}

/**
 * Restores what the severances of a domain or an account removed within the last 30 days. A job does it, and leaves out
 * follows of which one account has blocked the other or moved since. A follow of an account that is still suspended returns when
 * that account is restored as well. Returns how many severances are restored.
 */
export async function restoreSeverances(
  tx: Context,
  target: { domain: string } | { accountId: string },
): Promise<number> {
  const severances = await listRestorable(tx, target)
  for (const { id } of severances)
    if (await requestRestoration(tx, id)) await tx.enqueue('moderation.restore', { severanceId: id })
  await restoreDeferred(tx, target)
  return severances.length
}

/** Restores the follows that did not return earlier because an account of the target was still suspended. */
export async function restoreDeferred(tx: Context, target: { domain: string } | { accountId: string }): Promise<void> {
  const ids = await listDeferred(tx, target)
  await tx.enqueueMany(
    'moderation.restore',
    ids.map((severanceId) => ({ severanceId })),
  )
}

/** Job `moderation.restore`. After the first time, it handles deferred follows alone. */
export async function runRestoration(ctx: Context, { severanceId }: JobData['moderation.restore']): Promise<void> {
  const severance = await findSeverance(ctx, severanceId)
  if (!severance) return
  let after: string | null = '0'
  while (after !== null) after = await ctx.transaction((tx) => restoreChunk(tx, severance, after ?? '0'))
  await finishRestoration(ctx, severanceId)
}

async function restoreChunk(tx: Context, severance: SeveranceRow, after: string): Promise<string | null> {
  const chunk = await restoreNext(tx, severance, after)
  if (!chunk) return null
  // The job that renders them skips local accounts.
  await federate(tx, chunk.restored.filter(({ outgoing }) => outgoing).map(followAct))
  // A block removed their media from the cache.
  await tx.enqueueMany(
    'media.cache',
    [...new Set(chunk.restored.filter(({ outgoing }) => outgoing).map((row) => row.target_account_id))].map(
      (accountId) => ({ accountId }),
    ),
  )
  await rebuildFeedsOf(
    tx,
    chunk.restored.filter(({ local, table }) => local && table === 'follows').map((row) => row.account_id),
  )
  return chunk.last
}
