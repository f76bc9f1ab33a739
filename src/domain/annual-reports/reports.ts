import type { Context } from '../../context.ts'
import type { AnnualReports } from '../../db/schema.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { beginRefresh, findRunningRefresh, finishRefresh } from '../server/async-refreshes.ts'
import { isPublicOrUnlistedSql } from '../statuses/visibility.ts'
import { NotFound } from '../../lib/errors.ts'
import { idAt } from '../../lib/ids.ts'

export type AnnualReportRow = Pick<AnnualReports, 'account_id' | 'year' | 'schema_version'> & { data: ReportData }
export type ReportState = 'available' | 'generating' | 'eligible' | 'ineligible'

export const reportKey = (accountId: string, year: number): string => `annual-report:${accountId}:${year}`

export const listAnnualReports = (ctx: Context, accountId: string): Promise<AnnualReportRow[]> =>
  ctx.db.many<AnnualReportRow>(sql`
    select account_id, year, schema_version, data from annual_reports where account_id = ${accountId} and viewed_at is null order by year desc`)

/** Throws NotFound. */
export async function readAnnualReport(ctx: Context, accountId: string, year: number): Promise<AnnualReportRow> {
  const row = await ctx.db.maybe<AnnualReportRow>(sql`
    select account_id, year, schema_version, data from annual_reports where account_id = ${accountId} and year = ${year}`)
  if (!row) throw new NotFound()
  return row
}

/** Throws NotFound. */
export async function markReportRead(ctx: Context, accountId: string, year: number): Promise<void> {
  const found = await ctx.db.run(sql`
    update annual_reports set viewed_at = coalesce(viewed_at, now()) where account_id = ${accountId} and year = ${year}`)
  if (found === 0) throw new NotFound()
}

/** Eligible: the year is over or nearly, and the account posted in it. */
export async function getReportState(ctx: Context, accountId: string, year: number): Promise<ReportState> {
  // In this order: the report is stored before its refresh finishes.
  if (await findRunningRefresh(ctx, reportKey(accountId, year))) return 'generating'
  if (await isMade(ctx, accountId, year)) return 'available'
  if (!isReportable(year, new Date())) return 'ineligible'
  const { from, to } = idsOfYear(year)
  const posted = await ctx.db.maybe(sql`
    select id from statuses where account_id = ${accountId} and id >= ${from} and id < ${to} limit 1`)
  return posted ? 'eligible' : 'ineligible'
}

const isMade = async (ctx: Context, accountId: string, year: number): Promise<boolean> =>
  (await ctx.db.maybe(sql`select from annual_reports where account_id = ${accountId} and year = ${year}`)) !== null

/**
 * Begins the generation of a report unless it exists or is being generated. `state` is the state afterwards; `begins`: whether
 * the caller must generate the report.
 */
export async function beginReport(
  tx: Context,
  accountId: string,
  year: number,
): Promise<{ state: Exclude<ReportState, 'eligible'>; begins: boolean }> {
  const state = await getReportState(tx, accountId, year)
  if (state !== 'eligible') return { state, begins: false }
  if (!(await beginRefresh(tx, reportKey(accountId, year)))) return { state: 'generating', begins: false }
  if (!(await isMade(tx, accountId, year))) return { state: 'generating', begins: true }
  // A concurrent request has generated it meanwhile.
  await finishRefresh(tx, reportKey(accountId, year))
  return { state: 'available', begins: false }
}

/** Job `accounts.annual-report`. May run twice. */
export async function makeReport(
  ctx: Context,
  { accountId, year }: { accountId: string; year: number },
): Promise<void> {
  try {
    const data = await computeReport(ctx, accountId, year)
    await ctx.db.run(sql`
      insert into annual_reports (account_id, year, schema_version, data)
      select id, ${year}::int, ${SCHEMA_VERSION}::int, ${JSON.stringify(data)}::jsonb from accounts where id = ${accountId}
      on conflict do nothing`)
  } finally {
    await finishRefresh(ctx, reportKey(accountId, year))
  }
}

const SCHEMA_VERSION = 2

export const ARCHETYPES = ['lurker', 'booster', 'pollster', 'replier', 'oracle'] as const
type Archetype = (typeof ARCHETYPES)[number]

type ReportData = {
  archetype: Archetype
  /** For each month: statuses and boosts, new follows, new followers. */
  time_series: { month: number; statuses: number; following: number; followers: number }[]
  top_hashtags: { name: string; count: number }[]
  /** Ids of the account's public statuses. This version sets only the first. */
  top_statuses: { by_reblogs: string | null; by_favourites: string | null; by_replies: string | null }
}

/** Accounts with fewer statuses in a year count as readers. */
const AVERAGE_PER_YEAR = 113
/** As many as the web client shows. Mastodon sends one, and its apps show the first. */
const MAX_HASHTAGS = 5

type Totals = { standalone: number; replies: number; reblogs: number; polls: number }

async function computeReport(ctx: Context, accountId: string, year: number): Promise<ReportData> {
  const { from, to } = idsOfYear(year)
  const own = sql`s.account_id = ${accountId} and s.id >= ${from} and s.id < ${to}`
  // The posts of a thread answer their own author, and stand alone together.
  const toOthers = sql`(s.reply and s.in_reply_to_account_id is distinct from s.account_id)`
  const [totals, time_series, top_hashtags, top] = await Promise.all([
    ctx.db.one<Totals>(sql`
      select count(*) filter (where s.reblog_of_id is null and not ${toOthers})::int as standalone,
        count(*) filter (where ${toOthers})::int as replies, count(*) filter (where s.reblog_of_id is not null)::int as reblogs,
        count(*) filter (where s.poll_id is not null)::int as polls
      from statuses s where ${own}`),
    readMonths(ctx, accountId, year, own),
    ctx.db.many<{ name: string; count: number }>(sql`
      select t.display_name as name, count(*)::int as count
      from statuses s join status_tags st on st.status_id = s.id join tags t on t.id = st.tag_id
      where ${own} group by t.id having count(*) > 1 order by count(*) desc, t.id limit ${MAX_HASHTAGS}::int`),
    ctx.db.maybe<{ id: string }>(sql`
      select s.id from statuses s left join status_stats sst on sst.status_id = s.id
      where ${own} and s.reblog_of_id is null and ${isPublicOrUnlistedSql(sql`s.visibility`)}
      order by coalesce(sst.reblogs_count, 0) desc, coalesce(sst.favourites_count, 0) desc, s.id desc limit 1`),
  ])
  const top_statuses = { by_reblogs: top?.id ?? null, by_favourites: null, by_replies: null }
  return { archetype: archetypeOf(totals), time_series, top_hashtags, top_statuses }
}

function readMonths(ctx: Context, accountId: string, year: number, own: Sql): Promise<ReportData['time_series']> {
  const [first, end] = [new Date(Date.UTC(year, 0, 1)), new Date(Date.UTC(year + 1, 0, 1))]
  const month = (at: Sql): Sql => sql`extract(month from ${at} at time zone 'utc')::int`
  const inYear = sql`f.created_at >= ${first} and f.created_at < ${end}`
  return ctx.db.many(sql`
    with posted as (select ${month(sql`s.created_at`)} as month, count(*)::int as n from statuses s where ${own} group by 1),
      followed as (select ${month(sql`f.created_at`)} as month, count(*)::int as n from follows f where f.account_id = ${accountId} and ${inYear} group by 1),
      gained as (select ${month(sql`f.created_at`)} as month, count(*)::int as n from follows f where f.target_account_id = ${accountId} and ${inYear} group by 1)
    select m.month, coalesce(posted.n, 0) as statuses, coalesce(followed.n, 0) as following, coalesce(gained.n, 0) as followers
    from generate_series(1, 12) m (month) left join posted using (month) left join followed using (month) left join gained using (month)
    order by m.month`)
}

export function archetypeOf({ standalone, replies, reblogs, polls }: Totals): Archetype {
  if (standalone + replies + reblogs < AVERAGE_PER_YEAR) return 'lurker'
  if (reblogs > standalone * 2) return 'booster'
  if (polls > standalone * 0.1) return 'pollster'
  return replies > standalone * 2 ? 'replier' : 'oracle'
}

/** Reports on a year are offered from the tenth of December on. */
const isReportable = (year: number, now: Date): boolean => now.getTime() >= Date.UTC(year, 11, 10)

/** The year whose report is announced now: in its last three weeks; otherwise null. */
export function campaignYear(now: Date): number | null {
  const year = now.getUTCFullYear()
  return isReportable(year, now) ? year : null
}

/** `to` is exclusive. */
function idsOfYear(year: number): { from: string; to: string } {
  return { from: idAt(new Date(Date.UTC(year, 0, 1))), to: idAt(new Date(Date.UTC(year + 1, 0, 1))) }
}
