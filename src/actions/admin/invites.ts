import type { Context } from '../../context.ts'
import { insertAuditEntries, insertAuditEntry } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import { endAllInvites, endInvites } from '../../domain/registration/invites.ts'

/** Ends invitations of any user. */
export const deactivateInvites = (ctx: Context, staffId: StaffId, ids: readonly string[]): Promise<void> =>
  ctx.transaction(async (tx) => {
    const ended = await endInvites(tx, ids)
    await insertAuditEntries(
      tx,
      staffId,
      ended.map(({ id, code: label }) => ({ type: 'invite' as const, action: 'delete' as const, id, label })),
    )
  })

/** Ends every invitation, such as after codes were passed around. */
export const deactivateAllInvites = (ctx: Context, staffId: StaffId): Promise<void> =>
  ctx.transaction(async (tx) => {
    const count = await endAllInvites(tx)
    if (count > 0)
      await insertAuditEntry(tx, staffId, { type: 'invite', action: 'delete', id: null, details: { count } })
  })
