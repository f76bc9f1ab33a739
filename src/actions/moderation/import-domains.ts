import type { Context } from '../../context.ts'
import { insertAuditEntry } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import { insertDomainAllows } from '../../domain/moderation/domain-allows.ts'
import { type BlockDraft, lockDomainRules, upsertDomainBlocks } from '../../domain/moderation/domain-blocks.ts'
import { type ImportMode, isChange, planImport } from '../../domain/moderation/import-plan.ts'
import { applyBlocks } from './domain-blocks.ts'

/** Domains that an entry of the audit log names. */
const NAMED = 100

/** Blocks the domains of a list. Returns how many blocks were created or changed. */
export async function importDomainBlocks(
  ctx: Context,
  staffId: StaffId,
  drafts: readonly BlockDraft[],
  mode: ImportMode,
): Promise<number> {
  return ctx.transaction(async (tx) => {
    await lockDomainRules(tx)
    const changes = (await planImport(tx, drafts, mode)).filter(isChange)
    const stored = await upsertDomainBlocks(
      tx,
      changes.map(({ draft }) => draft),
      { managed: false },
    )
    await applyBlocks(tx, stored)
    if (stored.length > 0)
      await insertAuditEntry(tx, staffId, {
        type: 'domain_block',
        action: 'import',
        id: null,
        details: { count: stored.length, mode, domains: stored.slice(0, NAMED).map(({ domain }) => domain) },
      })
    return stored.length
  })
}

/** Returns how many are new. */
export async function importDomainAllows(ctx: Context, staffId: StaffId, domains: readonly string[]): Promise<number> {
  return ctx.transaction(async (tx) => {
    const created = await insertDomainAllows(tx, domains)
    if (created.length === 0) return 0
    await tx.enqueueMany(
      'moderation.apply-domain',
      created.map(({ domain }) => ({ domain })),
    )
    tx.publish({ type: 'settings.changed' })
    await insertAuditEntry(tx, staffId, {
      type: 'domain_allow',
      action: 'import',
      id: null,
      details: { count: created.length, domains: created.slice(0, NAMED).map(({ domain }) => domain) },
    })
    return created.length
  })
}
