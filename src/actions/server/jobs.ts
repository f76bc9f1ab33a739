import type { Context } from '../../context.ts'
import { insertAuditEntries } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import { discardJobs, retryJobs, type JobChoice } from '../../jobs/overview.ts'

/** Starts failed jobs again, at most 1000 at once. Returns how many. */
export const retryFailedJobs = (ctx: Context, staffId: StaffId, choice: JobChoice): Promise<number> =>
  change(ctx, staffId, choice, 'retry')

/** Deletes failed jobs, at most 1000 at once. Returns how many. */
export const discardFailedJobs = (ctx: Context, staffId: StaffId, choice: JobChoice): Promise<number> =>
  change(ctx, staffId, choice, 'discard')

function change(ctx: Context, staffId: StaffId, choice: JobChoice, action: 'retry' | 'discard'): Promise<number> {
  return ctx.transaction(async (tx) => {
    const kinds = await (action === 'retry' ? retryJobs : discardJobs)(tx.db, choice)
    await insertAuditEntries(
      tx,
      staffId,
      kinds.map(({ name, count }) => ({ type: 'job', action, id: null, label: name, details: { count } })),
    )
    return kinds.reduce((sum, { count }) => sum + count, 0)
  })
}
