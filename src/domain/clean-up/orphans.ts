import { mapDatabaseError } from '../../db/connection-loss.ts'
import type { Database } from '../../db/database.ts'
import type { FileStore } from '../../files/store.ts'
import { daysAgo } from '../../lib/dates.ts'
import { storedFilesQuery } from '../media/stored-files.ts'

const BATCH = 500
/** A file is stored before the row that names it. */
const MIN_AGE_DAYS = 1

export type OrphanProgress = { files: number; orphans: number; bytes: number }

/** Deletes files that no row names and that are older than a day. `dryRun`: only counts them. */
export async function deleteOrphans(
  db: Database,
  files: FileStore,
  { dryRun, onProgress }: { dryRun: boolean; onProgress: (progress: OrphanProgress) => void },
): Promise<OrphanProgress> {
  const client = await db.dedicated()
  const progress = { files: 0, orphans: 0, bytes: 0 }
  try {
    await client.query(
      `create temporary table named_file as select distinct key from (${storedFilesQuery}) stored (key, kind)`,
    )
    await client.query('create index on named_file (key)')
    const check = async (batch: readonly { key: string; size: number }[]): Promise<void> => {
      const { rows } = await client.query<{ key: string }>(
        'select key from unnest($1::text[]) found (key) where not exists (select from named_file n where n.key = found.key)',
        [batch.map(({ key }) => key)],
      )
      const orphans = new Set(rows.map(({ key }) => key))
      if (!dryRun && orphans.size > 0) await files.delete([...orphans])
      progress.orphans += orphans.size
      for (const { key, size } of batch) if (orphans.has(key)) progress.bytes += size
      onProgress(progress)
    }
    let batch: { key: string; size: number }[] = []
    for await (const { key, size, modified } of files.list()) {
      progress.files++
      if (modified > daysAgo(MIN_AGE_DAYS)) continue
      batch.push({ key, size })
      if (batch.length < BATCH) continue
      await check(batch)
      batch = []
    }
    await check(batch)
    return progress
  } catch (error) {
    throw mapDatabaseError(error, client)
  } finally {
    await client.end().catch(() => {})
  }
}
