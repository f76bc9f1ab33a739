import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { beginRefresh, findRunningRefresh, finishRefresh } from '../server/async-refreshes.ts'
import { idsOfYear, isReportable } from './campaign.ts'
import { computeReport, SCHEMA_VERSION, type ReportData } from './compute.ts'

export type AnnualReportRow = { account_id: string; year: number; schema_version: number; data: ReportData }
export type ReportState = 'available' | 'generating' | 'eligible' | 'ineligible'

/** The name under which the making of a report is known: see async-refreshes. */
export const reportKey = (accountId: string, year: number): string => `annual-report:${accountId}:${year}`

/** Reports that were not read yet, the newest year first. */
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

/** Notes that a report was read. Throws NotFound. */
export async function markReportRead(ctx: Context, accountId: string, year: number): Promise<void> {
  const found = await ctx.db.run(sql`
    update annual_reports set viewed_at = coalesce(viewed_at, now()) where account_id = ${accountId} and year = ${year}`)
  if (found === 0) throw new NotFound()
}

/** Whether there is a report on a year, or may be one: of years that are nearly over, for whoever posted in them. */
export async function getReportState(ctx: Context, accountId: string, year: number): Promise<ReportState> {
  // In this order: a report is there before its making is over.
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

/** Lets a report be made in the background, once, for a year that allows one. Gives the state it is in then. */
export async function requestReport(
  ctx: Context,
  accountId: string,
  year: number,
): Promise<Exclude<ReportState, 'eligible'>> {
  const state = await getReportState(ctx, accountId, year)
  if (state !== 'eligible') return state
  return ctx.transaction(async (tx) => {
    if (!(await beginRefresh(tx, reportKey(accountId, year)))) return 'generating'
    if (await isMade(tx, accountId, year)) {
      // Another request had it made in the meantime.
      await finishRefresh(tx, reportKey(accountId, year))
      return 'available'
    }
    await tx.enqueue('accounts.annual-report', { accountId, year })
    return 'generating'
  })
}

/** Job `accounts.annual-report`. */
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
