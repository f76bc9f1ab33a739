import type { Context } from '../../context.ts'
import type { Database } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

/** A row of `settings` that no page changes. */
const KEY = 'last_backup'

type BackupRecords = { made: { at: string; bytes: number } | null; failed: { at: string } | null }

/** Ignores errors, such as those of a database that only reads: the backup matters more. */
export async function recordBackup(db: Database, records: Partial<BackupRecords>): Promise<void> {
  const text = `insert into settings (key, value) values ($1, $2)
    on conflict (key) do update set value = settings.value || excluded.value`
  await db.raw(text, [KEY, JSON.stringify(records)]).catch(() => {})
}

/** `made`: the last one that succeeded. `failed`: the last attempt, if it failed. Null when no backup was ever tried. */
export async function readLastBackup(
  ctx: Context,
): Promise<{ made: { at: Date; bytes: number } | null; failedAt: Date | null } | null> {
  const row = await ctx.db.maybe<{ value: Partial<BackupRecords> }>(sql`select value from settings where key = ${KEY}`)
  if (!row) return null
  const { made, failed } = row.value
  return { made: made ? { ...made, at: new Date(made.at) } : null, failedAt: failed ? new Date(failed.at) : null }
}
