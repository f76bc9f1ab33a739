import type { Context } from '../../context.ts'
import type { AnnualReports } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { beginRefresh, findRunningRefresh, finishRefresh } from '../server/async-refreshes.ts'
import { type ReportData, SCHEMA_VERSION, computeReport, idsOfYear, isReportable } from './compute.ts'

export type AnnualReportRow = Pick<AnnualReports, 'account_id' | 'year' | 'schema_version'> & { data: ReportData }
export type ReportState = 'available' | 'generating' | 'eligible' | 'ineligible'

/** The key of the async refresh that generates a report. */
export const reportKey = (accountId: string, year: number): string => `annual-report:${accountId}:${year}`

/** Unread reports, newest year first. */
export const listReports = (ctx: Context, accountId: string): Promise<AnnualReportRow[]> =>
  ctx.db.many<AnnualReportRow>(sql`
    select account_id, year, schema_version, data from annual_reports where account_id = ${accountId} and viewed_at is null order by year desc`)

/** The report on a year. Throws NotFound. */
export async function getReport(ctx: Context, accountId: string, year: number): Promise<AnnualReportRow> {
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
export async function makeReport(ctx: Context, { accountId, year }: JobData['accounts.annual-report']): Promise<void> {
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
