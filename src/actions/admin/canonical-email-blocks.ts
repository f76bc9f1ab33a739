import type { Context } from '../../context.ts'
import { insertAuditEntries, insertAuditEntry } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import {
  canonicalEmailHash,
  deleteCanonicalEmailBlocks,
  insertCanonicalEmailBlock,
  type CanonicalEmailBlock,
} from '../../domain/registration/canonical-email-blocks.ts'
import { isEmail } from '../../lib/mail.ts'
import { NotFound, invalidFieldWithDetails } from '../../lib/errors.ts'

/** By the address, or else by its hash. Throws Invalid. */
export const blockEmail = (
  ctx: Context,
  staffId: StaffId,
  { email, hash }: { email?: string | undefined; hash?: string | undefined },
): Promise<CanonicalEmailBlock> =>
  ctx.transaction(async (tx) => {
    if (email !== undefined && !isEmail(email.trim())) throw invalidFieldWithDetails('email', 'invalid')
    const block = await insertCanonicalEmailBlock(tx, email === undefined ? (hash ?? '') : canonicalEmailHash(email))
    const { id, canonical_email_hash: label } = block
    await insertAuditEntry(tx, staffId, { type: 'canonical_email_block', action: 'create', id, label })
    return block
  })

/** Throws NotFound when none of them exists. */
export const unblockEmails = (ctx: Context, staffId: StaffId, ids: readonly string[]): Promise<void> =>
  ctx.transaction(async (tx) => {
    const removed = await deleteCanonicalEmailBlocks(tx, ids)
    if (removed.length === 0) throw new NotFound()
    await insertAuditEntries(
      tx,
      staffId,
      removed.map(({ id, canonical_email_hash: label }) => ({
        type: 'canonical_email_block' as const,
        action: 'delete' as const,
        id,
        label,
      })),
    )
  })
