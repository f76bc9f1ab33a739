import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context.ts'
import { insertAuditEntry } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import { declineEntriesFor } from '../../domain/moderation/block-list-entries.ts'
import {
  type AdminDomainBlockRow,
  type BlockDraft,
  type BlockMeasures,
  checkComments,
  deleteDomainBlocks,
  findRuleFor,
  getAdminDomainBlock,
  doesAllOf,
  lockDomainRules,
  type StoredBlock,
  upsertDomainBlocks,
} from '../../domain/moderation/domain-blocks.ts'
import { severDomains } from './sever.ts'

/** `existing`: the block that stays, because it has the effects of the new one already. Otherwise the id of the new one. */
export type BlockOutcome = { existing: AdminDomainBlockRow } | { id: string }

/**
 * Blocks a domain and its subdomains for everyone here. A job suspends or limits their accounts; a suspension also severs
 * follows, which an undo restores for 30 days. Returns the existing block of the domain, or of a parent when that is as strict.
 * Throws Invalid for a comment that is too long.
 */
export async function createDomainBlock(ctx: Context, staffId: StaffId, draft: BlockDraft): Promise<BlockOutcome> {
  checkComments(draft)
  return ctx.transaction(async (tx) => {
    await lockDomainRules(tx)
    const existing = await findPrecedingBlock(tx, draft)
    if (existing) return { existing }
    const [stored] = await upsertDomainBlocks(tx, [draft], { managed: false })
    if (!stored) throw new Error('the block was not stored')
    await applyBlocks(tx, [stored])
    await insertAuditEntry(tx, staffId, {
      type: 'domain_block',
      action: 'create',
      id: stored.id,
      label: draft.domain,
      details: measuresOf(draft),
    })
    return { id: stored.id }
  })
}

/** The block of the domain, or of a parent when that is stricter: createDomainBlock then changes nothing. */
export async function findPrecedingBlock(
  ctx: Context,
  draft: BlockMeasures & { domain: string },
): Promise<AdminDomainBlockRow | null> {
  const existing = await findRuleFor(ctx, draft.domain)
  return existing && (existing.domain === draft.domain || !doesAllOf(draft, existing)) ? existing : null
}

/**
 * Absent members stay as they are. From then on, no block list changes the block. Does nothing for one that is the same. Throws
 * NotFound; Invalid for a comment that is too long.
 */
export async function updateDomainBlock(
  ctx: Context,
  staffId: StaffId,
  id: string,
  changes: Partial<Omit<BlockDraft, 'domain'>>,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    await lockDomainRules(tx)
    const before = await getAdminDomainBlock(tx, id)
    const draft = { ...draftOf(before), ...changes }
    checkComments(draft)
    if (!before.managed && isDeepStrictEqual(draft, draftOf(before))) return
    await applyBlocks(tx, await upsertDomainBlocks(tx, [draft], { managed: false }))
    await insertAuditEntry(tx, staffId, {
      type: 'domain_block',
      action: 'update',
      id,
      label: draft.domain,
      details: { before: measuresOf(before), after: measuresOf(draft) },
    })
  })
}

/**
 * Ends a block: a job restores accounts and what they posted, as far as the data still exists. `restoreFollows`: also the follows
 * that it severed within the last 30 days. Throws NotFound.
 */
export async function endDomainBlock(
  ctx: Context,
  staffId: StaffId,
  id: string,
  { restoreFollows }: { restoreFollows: boolean },
): Promise<void> {
  await ctx.transaction(async (tx) => {
    await lockDomainRules(tx)
    const block = await getAdminDomainBlock(tx, id)
    await declineEntriesFor(tx, block.domain)
    await liftBlocks(tx, await deleteDomainBlocks(tx, [block.domain]), { restoreFollows })
    await insertAuditEntry(tx, staffId, {
      type: 'domain_block',
      action: 'delete',
      id,
      label: block.domain,
      details: { ...measuresOf(block), restoreFollows },
    })
  })
}

/** Restores the follows that a former block of the domain severed within the last 30 days. */
export async function restoreFollowsWith(ctx: Context, staffId: StaffId, domain: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await tx.enqueue('moderation.apply-domain', { domain, restore: true })
    await insertAuditEntry(tx, staffId, { type: 'server', action: 'restore_follows', id: domain, label: domain })
  })
}

/** Puts stored blocks into effect. Call it in the transaction that stored them. */
export async function applyBlocks(tx: Context, blocks: readonly StoredBlock[]): Promise<void> {
  if (blocks.length === 0) return
  const suspended = blocks.filter(({ severity, before }) => severity === 'suspend' && before !== 'suspend')
  await severDomains(
    tx,
    suspended.map(({ domain }) => domain),
  )
  await tx.enqueueMany(
    'moderation.apply-domain',
    blocks.map(({ domain }) => ({ domain })),
  )
  tx.publish({ type: 'settings.changed' })
}

/** Ends the effects of deleted blocks. Call it in the transaction that deleted them. */
export async function liftBlocks(
  tx: Context,
  domains: readonly string[],
  { restoreFollows }: { restoreFollows: boolean },
): Promise<void> {
  if (domains.length === 0) return
  await tx.enqueueMany(
    'moderation.apply-domain',
    domains.map((domain) => ({ domain, ...(restoreFollows ? { restore: true as const } : {}) })),
  )
  tx.publish({ type: 'settings.changed' })
}

export const draftOf = (block: BlockDraft): BlockDraft => ({
  domain: block.domain,
  severity: block.severity,
  reject_media: block.reject_media,
  reject_reports: block.reject_reports,
  obfuscate: block.obfuscate,
  public_comment: block.public_comment,
  private_comment: block.private_comment,
})

const measuresOf = ({ severity, reject_media, reject_reports, obfuscate }: BlockDraft): Record<string, unknown> => ({
  severity,
  reject_media,
  reject_reports,
  obfuscate,
})
