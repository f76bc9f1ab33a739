import type { Context } from '../../context.ts'
import { type AUDIT_ACTIONS, insertAuditEntry } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import { labelOf, type ModeratedAccount } from '../../domain/moderation/accounts.ts'

export type AccountAuditAction = (typeof AUDIT_ACTIONS)['account'][number]

/** Writes an act on an account to the audit log. */
export const recordAccountAct = (
  tx: Context,
  staffId: StaffId,
  action: AccountAuditAction,
  account: Pick<ModeratedAccount, 'id' | 'username' | 'domain'>,
): Promise<void> => insertAuditEntry(tx, staffId, { type: 'account', action, id: account.id, label: labelOf(account) })
