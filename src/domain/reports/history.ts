// The facts that a moderator needs to judge a report: about the two accounts, and earlier reports and warnings.
import type { Context } from '../../context.ts'
import type { Accounts, AccountWarnings, Reports } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import type { WarningAction } from '../moderation/warnings.ts'
import type { ReportCategory } from './reports.ts'

export type AccountHistory = Pick<
  Accounts,
  'id' | 'username' | 'domain' | 'created_at' | 'silenced_at' | 'sensitized_at' | 'suspended_at'
> & {
  disabled: boolean
  statuses: number
  followers: number
  following: number
  /** Reports about it, and those of them that are unresolved. */
  reported: number
  reported_unresolved: number
  /** Reports that it filed, and those of them that led to a warning or more. */
  filed: number
  filed_upheld: number
  strikes: number
  last_strike_at: Date | null
}

/** Unknown ids have no entry. */
export async function findAccountHistories(ctx: Context, ids: readonly string[]): Promise<Map<string, AccountHistory>> {
  const rows = await ctx.db.many<AccountHistory>(sql`
    select a.id, a.username, a.domain, a.created_at, a.silenced_at, a.sensitized_at, a.suspended_at,
      coalesce((select u.disabled from users u where u.account_id = a.id), false) as disabled,
      coalesce(st.statuses_count, 0)::int as statuses, coalesce(st.followers_count, 0)::int as followers,
      coalesce(st.following_count, 0)::int as following,
      about.reported, about.reported_unresolved, mine.filed, mine.filed_upheld, w.strikes, w.last_strike_at
    from accounts a left join account_stats st on st.account_id = a.id
    cross join lateral (
      select count(*)::int as reported, (count(*) filter (where r.action_taken_at is null))::int as reported_unresolved
      from reports r where r.target_account_id = a.id) about
    cross join lateral (
      select count(*)::int as filed, (count(*) filter (where exists (select from account_warnings fw where fw.report_id = r.id)))::int as filed_upheld
      from reports r where r.account_id = a.id) mine
    cross join lateral (
      select count(*)::int as strikes, max(created_at) as last_strike_at
      from account_warnings where target_account_id = a.id and overruled_at is null) w
    where a.id = any(${ids}::bigint[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Null where there is no follow. */
export type FollowsBetween = { there: Date | null; back: Date | null }

/** When `accountId` followed `targetId`, and the other way round. */
export const findFollowsBetween = (ctx: Context, accountId: string, targetId: string): Promise<FollowsBetween> =>
  ctx.db.one<FollowsBetween>(sql`
    select (select created_at from follows where account_id = ${accountId} and target_account_id = ${targetId}) as there,
      (select created_at from follows where account_id = ${targetId} and target_account_id = ${accountId}) as back`)

export type SimilarReport = Pick<Reports, 'id' | 'created_at' | 'action_taken_at' | 'comment'> &
  Pick<Accounts, 'username' | 'domain'> & {
    category: ReportCategory
    /** How many reported statuses both have. */
    shared: number
    /** The action of its latest warning; null without one. */
    outcome: WarningAction | null
  }

const MAX_SIMILAR = 10

/** Other reports about the same account: unresolved ones first, then those about the same statuses, then the newest. */
export const listSimilarReports = (
  ctx: Context,
  report: Pick<Reports, 'id' | 'target_account_id' | 'status_ids'>,
): Promise<SimilarReport[]> =>
  ctx.db.many<SimilarReport>(sql`
    select r.id, r.created_at, r.action_taken_at, r.comment, r.category, a.username, a.domain,
      (select count(*)::int from unnest(r.status_ids) s (id) where s.id = any(${report.status_ids}::bigint[])) as shared,
      (select w.action from account_warnings w where w.report_id = r.id order by w.id desc limit 1) as outcome
    from reports r join accounts a on a.id = r.account_id
    where r.target_account_id = ${report.target_account_id} and r.id <> ${report.id}
    order by r.action_taken_at is null desc, shared desc, r.id desc limit ${MAX_SIMILAR}`)

/** The oldest unresolved report after this one that no one else is assigned to; after the last one, the oldest of all. */
export async function findNextReport(ctx: Context, staffAccountId: string, after: string): Promise<string | null> {
  const row = await ctx.db.maybe<Pick<Reports, 'id'>>(sql`
    select id from reports
    where action_taken_at is null and id <> ${after} and coalesce(assigned_account_id, ${staffAccountId}) = ${staffAccountId}
    order by id > ${after} desc, id limit 1`)
  return row?.id ?? null
}

export type ReportStrike = Pick<AccountWarnings, 'id' | 'text' | 'created_at' | 'overruled_at'> & {
  action: WarningAction
}

/** Warnings that came of the report, oldest first. */
export const listStrikesOfReport = (ctx: Context, reportId: string): Promise<ReportStrike[]> =>
  ctx.db.many<ReportStrike>(sql`
    select id, action, text, created_at, overruled_at from account_warnings where report_id = ${reportId} order by id limit 20`)
