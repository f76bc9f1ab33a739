import type { Context } from '../../context.ts'
import { insertAuditEntries } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import { labelOf } from '../../domain/moderation/accounts.ts'
import { storeSuppressed } from '../../domain/relationships/suggestions.ts'

/** Stops the suggestion of accounts, or allows it again. Ignores unknown ids, and accounts that are in that state already. */
export const suppressRecommendations = (
  ctx: Context,
  staffId: StaffId,
  { ids, suppressed }: { ids: readonly string[]; suppressed: boolean },
): Promise<void> =>
  ctx.transaction(async (tx) => {
    const changed = await storeSuppressed(tx, ids, suppressed)
    const action = suppressed ? ('suppress_recommendation' as const) : ('restore_recommendation' as const)
    const type = 'account' as const
    const entries = changed.map((account) => ({ type, action, id: account.id, label: labelOf(account) }))
    await insertAuditEntries(tx, staffId, entries)
  })
