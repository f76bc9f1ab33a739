import type { Context } from '../../context.ts'
import { insertAuditEntries, insertAuditEntry } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import {
  deleteEmailDomainBlocks,
  insertEmailDomainBlock,
  type EmailDomainBlock,
  type EmailDomainBlockValues,
} from '../../domain/registration/email-domain-blocks.ts'
import { NotFound } from '../../lib/errors.ts'

/** Throws Invalid. */
export const blockEmailDomain = (
  ctx: Context,
  staffId: StaffId,
  values: EmailDomainBlockValues,
): Promise<EmailDomainBlock> =>
  ctx.transaction(async (tx) => {
    const block = await insertEmailDomainBlock(tx, values)
    const { id, domain: label, allow_with_approval } = block
    const details = { allow_with_approval, mail_servers: values.mailServers ?? [] }
    await insertAuditEntry(tx, staffId, { type: 'email_domain_block', action: 'create', id, label, details })
    return block
  })

/** Throws NotFound when none of them exists. */
export const unblockEmailDomains = (ctx: Context, staffId: StaffId, ids: readonly string[]): Promise<void> =>
  ctx.transaction(async (tx) => {
    const removed = await deleteEmailDomainBlocks(tx, ids)
    if (removed.length === 0) throw new NotFound()
    await insertAuditEntries(
      tx,
      staffId,
      removed.map(({ id, domain: label }) => ({
        type: 'email_domain_block' as const,
        action: 'delete' as const,
        id,
        label,
      })),
    )
  })
