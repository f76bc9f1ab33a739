import type { Context } from '../../context.ts'
import { insertAuditEntry } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import { deleteStoredEmojis, findMatchingIds, type EmojiFilter } from '../../domain/emojis/emojis.ts'
import { fileKeysOf } from './manage.ts'

const BATCH = 500

/** Deletes all emojis that match, in batches, with one entry in the audit log. Returns how many there were. */
export async function purgeEmojis(
  ctx: Context,
  staffId: StaffId,
  filter: EmojiFilter,
  onProgress: (done: number) => void,
): Promise<number> {
  let done = 0
  for (;;) {
    const ids = await findMatchingIds(ctx, filter, BATCH)
    if (ids.length === 0) break
    const deleted = await ctx.transaction((tx) => deleteStoredEmojis(tx, ids))
    await ctx.deleteFiles(deleted.flatMap(fileKeysOf))
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
