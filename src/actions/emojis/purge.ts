import type { Context } from '../../context.ts'
import { insertAuditEntry } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import { deleteStoredEmojis, findMatchingIds, type EmojiFilter } from '../../domain/emojis/emojis.ts'

const BATCH = 500

/** Deletes all emojis that match, in batches, with one entry in the audit log. Returns how many there were. */
export async function purgeEmojis(
  ctx: Context,
  staffId: StaffId,
  filter: EmojiFilter,
  onProgress: (done: number) => void = () => {},
): Promise<number> {
  let done = 0
  for (;;) {
    const ids = await findMatchingIds(ctx, filter, BATCH)
    if (ids.length === 0) break
    const deleted = await ctx.transaction(async (tx) => deleteStoredEmojis(tx, ids))
    const keys = deleted.flatMap(({ image_key: image, static_key: still }) => [image, still])
    await ctx.files.delete(keys.filter((key) => key !== null))
    done += deleted.length
    onProgress(done)
  }
  if (done > 0)
    await ctx.transaction(async (tx) => {
      const details = { count: done, from: filter.from || 'local' }
      await insertAuditEntry(tx, staffId, { type: 'custom_emoji', action: 'delete', id: null, details })
      tx.publish({ type: 'settings.changed' })
    })
  return done
}
