import type { Context } from '../context.ts'
import { beginReport, type ReportState } from '../domain/annual-reports/reports.ts'

/** Enqueues the job unless the report exists or is being generated. Returns the state afterwards. */
export const requestReport = (
  ctx: Context,
  accountId: string,
  year: number,
): Promise<Exclude<ReportState, 'eligible'>> =>
  ctx.transaction(async (tx) => {
    const { state, begins } = await beginReport(tx, accountId, year)
    if (begins) await tx.enqueue('accounts.annual-report', { accountId, year })
    return state
  })
