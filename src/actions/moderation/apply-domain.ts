import type { Context } from '../../context.ts'
import {
  type DomainEffects,
  markApplied,
  readEffects,
  silenceChunk,
  suspendChunk,
  uncacheChunk,
  unsilenceChunk,
  unsuspendChunk,
} from '../../domain/moderation/domain-effects.ts'
import { listDomainsUnder } from '../../domain/peers/domain-policy.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { enqueueFileDeletion } from '../files.ts'
import { changeAccountsOf } from './change-accounts.ts'
import { restoreSeverances } from './sever.ts'

/**
 * Job `moderation.apply-domain`, after a change of the rules for a domain: suspends, limits and restores its accounts, those of
 * its subdomains included, and removes their media from the cache. It compares with the current rules, so it may run at any time.
 */
export async function applyDomain(
  ctx: Context,
  { domain, restore }: JobData['moderation.apply-domain'],
): Promise<void> {
  const effects = await readEffects(ctx, await listDomainsUnder(ctx, domain))
  await changeAccounts(ctx, domain, effects)
  await removeCachedMedia(ctx, effects.mediaRejected)
  await markApplied(ctx, domain)
  // While another rule suspends the domain, no follow could return, and the next attempt would find nothing.
  if (restore && !effects.suspended.includes(domain)) await ctx.transaction((tx) => restoreSeverances(tx, { domain }))
}

async function changeAccounts(ctx: Context, domain: string, effects: DomainEffects): Promise<void> {
  const { suspended, silenced, open } = effects
  const unlimited = [...suspended, ...open].filter((name) => !silenced.includes(name))
  const steps = [
    [suspendChunk, suspended],
    [unsuspendChunk, open],
    [silenceChunk, silenced],
    [unsilenceChunk, unlimited],
  ] as const
  for (const [change, domains] of steps) await changeAccountsOf(ctx, domain, domains, change)
}

async function removeCachedMedia(ctx: Context, domains: readonly string[]): Promise<void> {
  let after: string | null = domains.length === 0 ? null : '0'
  while (after !== null) {
    const from: string = after
    const chunk = await ctx.transaction(async (tx) => {
      const uncached = await uncacheChunk(tx, domains, from)
      if (uncached) await enqueueFileDeletion(tx, uncached.fileKeys)
      return uncached
    })
    after = chunk?.last ?? null
  }
}
