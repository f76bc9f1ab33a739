import type { Context } from '../../context.ts'
import { type AuditTarget, insertAuditEntries, insertAuditEntry } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import { findTagById, type Reviewed, setTrendable, type TagChanges, updateTagRow } from '../../domain/trends/review.ts'
import { invalidField, NotFound } from '../../lib/errors.ts'
import { normaliseTag } from '../../lib/text/tags.ts'

const AUDITED = {
  tags: 'tag',
  links: 'link',
  statuses: 'trending_status',
  authors: 'trending_author',
  publishers: 'publisher',
} as const satisfies Record<Reviewed, AuditTarget>

/** Approves or rejects things for trends, with an entry in the audit log for each. Ignores unknown ids. May run twice. */
export const reviewTrends = (
  ctx: Context,
  staffId: StaffId,
  kind: Reviewed,
  { ids, trendable }: { ids: readonly string[]; trendable: boolean },
): Promise<number> =>
  ctx.transaction(async (tx) => {
    const items = await setTrendable(tx, kind, ids, trendable)
    const action = trendable ? ('approve' as const) : ('reject' as const)
    const entries = items.map(({ id, label }) => ({ type: AUDITED[kind], action, id, label }))
    await insertAuditEntries(tx, staffId, entries)
    return items.length
  })

/** Throws NotFound, and Invalid when the name shown differs from the name in more than its spelling. */
export const updateTag = (ctx: Context, staffId: StaffId, id: string, changes: TagChanges): Promise<void> =>
  ctx.transaction(async (tx) => {
    const tag = await findTagById(tx, id)
    if (!tag) throw new NotFound()
    const { display_name: shown } = changes
    if (shown !== undefined && normaliseTag(shown) !== tag.name) throw invalidField('display_name', 'tag_name_differs')
    await updateTagRow(tx, id, changes)
    await insertAuditEntry(tx, staffId, { type: 'tag', action: 'update', id, label: tag.name, details: changes })
    // Every process then reads the unusable hashtags again.
    if (changes.usable !== undefined && changes.usable !== tag.usable) tx.publish({ type: 'settings.changed' })
  })
