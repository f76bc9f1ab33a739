// The policies by which the server deletes old statuses of local accounts.
import type { Context } from '../../context.ts'
import type { StatusesCleanupPolicies } from '../../db/schema.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { addDays } from '../../lib/dates.ts'
import { idAt } from '../../lib/ids.ts'

/**
 * An account's choices. `min_status_age`: days. `min_favs` and `min_reblogs`: statuses with as many are kept; null for no such
 * rule.
 */
export type CleanupPolicy = Omit<StatusesCleanupPolicies, 'account_id' | 'inspected_id' | 'applied_at'>

/** The ages that the form offers. */
export const MIN_STATUS_AGES = [
  { days: 7, count: 1, unit: 'week' },
  { days: 14, count: 2, unit: 'week' },
  { days: 30, count: 1, unit: 'month' },
  { days: 61, count: 2, unit: 'month' },
  { days: 91, count: 3, unit: 'month' },
  { days: 183, count: 6, unit: 'month' },
  { days: 365, count: 1, unit: 'year' },
  { days: 730, count: 2, unit: 'year' },
] as const

/** Kinds of statuses that an account can keep at any age. */
export const EXCEPTIONS = [
  'keep_pinned',
  'keep_direct',
  'keep_self_fav',
  'keep_self_bookmark',
  'keep_polls',
  'keep_media',
] as const

/** For accounts that have not chosen yet. */
const DEFAULT_CLEANUP_POLICY: CleanupPolicy = {
  enabled: false,
  min_status_age: 14,
  keep_direct: true,
  keep_pinned: true,
  keep_polls: false,
  keep_media: false,
  keep_self_fav: true,
  keep_self_bookmark: true,
  min_favs: null,
  min_reblogs: null,
}

export async function findCleanupPolicy(ctx: Context, accountId: string): Promise<CleanupPolicy> {
  const found = await ctx.db.maybe<CleanupPolicy>(sql`
    select enabled, min_status_age, keep_direct, keep_pinned, keep_polls, keep_media, keep_self_fav, keep_self_bookmark,
      min_favs, min_reblogs
    from statuses_cleanup_policies where account_id = ${accountId}`)
  return found ?? DEFAULT_CLEANUP_POLICY
}

export async function saveCleanupPolicy(ctx: Context, accountId: string, policy: CleanupPolicy): Promise<void> {
  const { enabled, min_status_age, keep_direct, keep_pinned, keep_polls, keep_media } = policy
  const { keep_self_fav, keep_self_bookmark, min_favs, min_reblogs } = policy
  await ctx.db.run(sql`
    insert into statuses_cleanup_policies (account_id, enabled, min_status_age, keep_direct, keep_pinned, keep_polls, keep_media,
      keep_self_fav, keep_self_bookmark, min_favs, min_reblogs)
    values (${accountId}, ${enabled}, ${min_status_age}, ${keep_direct}, ${keep_pinned}, ${keep_polls}, ${keep_media},
      ${keep_self_fav}, ${keep_self_bookmark}, ${min_favs}, ${min_reblogs})
    on conflict (account_id) do update set enabled = excluded.enabled, min_status_age = excluded.min_status_age,
      keep_direct = excluded.keep_direct, keep_pinned = excluded.keep_pinned, keep_polls = excluded.keep_polls,
      keep_media = excluded.keep_media, keep_self_fav = excluded.keep_self_fav,
      keep_self_bookmark = excluded.keep_self_bookmark, min_favs = excluded.min_favs, min_reblogs = excluded.min_reblogs,
      inspected_id = 0`)
}

export type DuePolicy = Pick<StatusesCleanupPolicies, 'account_id' | 'inspected_id'>

/** The policies that were not applied for `minutes`, the ones that waited longest first. */
export const listDuePolicies = (ctx: Context, minutes: number, limit: number): Promise<DuePolicy[]> =>
  ctx.db.many(sql`
    select p.account_id, p.inspected_id from statuses_cleanup_policies p join accounts a on a.id = p.account_id
    where p.enabled and p.applied_at < now() - make_interval(mins => ${minutes}::int) and a.suspended_at is null and not a.memorial
    order by p.applied_at limit ${limit}`)

/** Whether the policy keeps the status `part`, whose counters are in `t`, at any age. */
const exempts = (accountId: string, policy: CleanupPolicy): Sql => sql`(
  ${policy.keep_direct}::boolean and part.visibility = 'direct'
  or ${policy.keep_media}::boolean and cardinality(part.media_ids) > 0
  or ${policy.keep_pinned}::boolean and exists (select from status_pins p where p.status_id = part.id)
  or ${policy.keep_polls}::boolean and exists (select from polls p where p.status_id = part.id)
  or ${policy.keep_self_fav}::boolean and exists (
    select from favourites f where f.status_id = part.id and f.account_id = ${accountId})
  or ${policy.keep_self_bookmark}::boolean and exists (
    select from bookmarks b where b.status_id = part.id and b.account_id = ${accountId})
  or coalesce(t.favourites_count >= ${policy.min_favs}::int, false)
  or coalesce(t.reblogs_count >= ${policy.min_reblogs}::int, false))`

const maxId = (now: Date, { min_status_age: age }: CleanupPolicy): string => idAt(addDays(now, -age))

/**
 * Examines at most `inspect` statuses and boosts of the account that are old enough, oldest first, after `inspected_id`. Returns
 * at most `limit` ids that its policy does not keep, and the id after which the next call continues. After the last status it
 * starts again, as a status that is kept today may be deleted tomorrow.
 */
export async function findOldStatuses(
  ctx: Context,
  { account_id: accountId, inspected_id: inspectedId }: DuePolicy,
  { now, inspect, limit }: { now: Date; inspect: number; limit: number },
): Promise<{ ids: string[]; inspectedId: string }> {
  const policy = await findCleanupPolicy(ctx, accountId)
  const seen = await ctx.db.many<{ id: string; is_exempt: boolean }>(sql`
    with part as (
      select s.id, s.visibility, s.media_ids from statuses s
      where s.account_id = ${accountId} and s.id > ${inspectedId} and s.id < ${maxId(now, policy)}
      order by s.id limit ${inspect})
    select part.id, ${exempts(accountId, policy)} as is_exempt
    from part left join status_stats t on t.status_id = part.id order by part.id`)
  const due = seen.filter(({ is_exempt: isExempt }) => !isExempt).map(({ id }) => id)
  const ids = due.slice(0, limit)
  if (due.length > limit) return { ids, inspectedId: ids.at(-1) ?? '0' }
  return { ids, inspectedId: seen.length === inspect ? (seen.at(-1)?.id ?? '0') : '0' }
}

/** Those among the statuses that the account's policy does not keep by now. Call it when they are locked. */
export async function stillDeletable(
  tx: Context,
  accountId: string,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<string[]> {
  const policy = await findCleanupPolicy(tx, accountId)
  if (!policy.enabled) return []
  const rows = await tx.db.many<{ id: string }>(sql`
    select part.id from statuses part left join status_stats t on t.status_id = part.id
    where part.id = any(${ids}::bigint[]) and part.id < ${maxId(now, policy)} and not ${exempts(accountId, policy)}`)
  return rows.map(({ id }) => id)
}

export async function markPolicyApplied(ctx: Context, accountId: string, inspectedId: string): Promise<void> {
  await ctx.db.run(sql`
    update statuses_cleanup_policies set inspected_id = ${inspectedId}, applied_at = now() where account_id = ${accountId}`)
}
