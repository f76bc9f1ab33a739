// Counts the effects that a block of domains, or the end of their allowance, would have.
import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { addDays } from '../../lib/dates.ts'
import { idAt } from '../../lib/ids.ts'
import { listCovered, listDomainsUnder } from '../peers/domain-policy.ts'
import { isRecentDay, RECENT_DAYS } from '../peers/traffic.ts'
import { readEffects } from './domain-effects.ts'

/** Larger counts are not counted to the end. */
export const COUNT_LIMIT = 100_000
/** Local accounts that are named. */
const NAMED = 50

export type AffectedAccount = { id: string; username: string; following: number; followers: number }

/** `statuses`, `media` and `received` stop at COUNT_LIMIT. Bytes are those of cached files. */
export type DryRun = {
  domains: readonly string[]
  accounts: number
  statuses: number
  media: number
  mediaBytes: number
  following: number
  followers: number
  /** Local accounts that would lose follows or followers: how many, and those that lose the most. */
  localAccounts: number
  named: AffectedAccount[]
  /** Statuses received, and deliveries made, within RECENT_DAYS. */
  received: number
  delivered: number
}

/** The effects on accounts of the domains and their subdomains. */
export async function estimateBlock(ctx: Context, rules: readonly string[]): Promise<DryRun> {
  const domains = (await listCovered(ctx, rules)).map(({ domain }) => domain)
  return estimate(ctx, domains)
}

/** The effects on accounts of the domain and its subdomains that no other entry of the list allows; `domains` may be empty. */
export async function estimateDisallow(ctx: Context, domain: string): Promise<DryRun> {
  const covered = await listDomainsUnder(ctx, domain)
  return estimate(ctx, (await readEffects(ctx, covered, { withoutAllow: domain })).suspended)
}

/** The effects of the deletion of all that is stored of these servers. It leaves their subdomains. */
export const estimatePurge = (ctx: Context, domains: readonly string[]): Promise<DryRun> => estimate(ctx, domains)

async function estimate(ctx: Context, domains: readonly string[]): Promise<DryRun> {
  const [counts, named] = await Promise.all([countOf(ctx, domains), listAffected(ctx, domains)])
  const { affected, following, followers, ...rest } = counts
  return { domains, ...rest, following, followers, localAccounts: affected, named }
}

type Counts = Pick<
  DryRun,
  'accounts' | 'statuses' | 'media' | 'mediaBytes' | 'following' | 'followers' | 'received' | 'delivered'
> & { affected: number }

const limited = (rows: Sql): Sql => sql`(select count(*)::int from (${rows} limit ${COUNT_LIMIT}) counted)`

function countOf(ctx: Context, domains: readonly string[]): Promise<Counts> {
  const ofDomains = sql`a.domain = any(${domains}::text[])`
  const recent = sql`s.id > ${idAt(addDays(new Date(), -RECENT_DAYS))}`
  return ctx.db.one<Counts>(sql`
    with media as (
      select m.file_size from media_attachments m join accounts a on a.id = m.account_id
      where ${ofDomains} and m.remote_url is not null and num_nonnulls(m.file_key, m.preview_key) > 0 limit ${COUNT_LIMIT}
    ), follows as (${followsOf(domains)})
    select (select count(*)::int from accounts a where ${ofDomains}) as accounts,
      ${limited(sql`select from statuses s join accounts a on a.id = s.account_id where ${ofDomains}`)} as statuses,
      ${limited(sql`select from statuses s join accounts a on a.id = s.account_id where ${ofDomains} and ${recent}`)} as received,
      (select count(*)::int from media) as media, (select coalesce(sum(file_size), 0)::float8 from media) as "mediaBytes",
      (select coalesce(sum(following), 0)::int from follows) as following, (select coalesce(sum(followers), 0)::int from follows) as followers,
      (select count(distinct local_id)::int from follows) as affected,
      (select coalesce(sum(delivered), 0)::int from peer_traffic
        where domain = any(${domains}::text[]) and ${isRecentDay}) as delivered`)
}

const followsOf = (domains: readonly string[]): Sql => sql`
  select local_id, sum(following) as following, sum(followers) as followers from (
    select f.account_id as local_id, 1 as following, 0 as followers from follows f join accounts a on a.id = f.target_account_id
      join accounts l on l.id = f.account_id and l.domain is null where a.domain = any(${domains}::text[])
    union all
    select f.target_account_id, 0, 1 from follows f join accounts a on a.id = f.account_id
      join accounts l on l.id = f.target_account_id and l.domain is null where a.domain = any(${domains}::text[])
  ) sides group by local_id`

const listAffected = (ctx: Context, domains: readonly string[]): Promise<AffectedAccount[]> =>
  ctx.db.many<AffectedAccount>(sql`
    select l.id, l.username, f.following::int, f.followers::int from (${followsOf(domains)}) f join accounts l on l.id = f.local_id
    order by f.following + f.followers desc, l.id limit ${NAMED}`)
