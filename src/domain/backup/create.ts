import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type pg from 'pg'
import type { Config } from '../../config.ts'
import { mapDatabaseError } from '../../db/connection-loss.ts'
import { copyOut } from '../../db/copy.ts'
import type { Database } from '../../db/database.ts'
import type { FileStore, StoredFile } from '../../files/store.ts'
import { VERSION } from '../../lib/version.ts'
import { storedFilesQuery } from '../media/stored-files.ts'
import { ArchiveWriter, writeWhole } from './archive-writer.ts'
import {
  ABOUT,
  type About,
  type AppliedMigration,
  BackupError,
  countRows,
  FORMAT,
  type Manifest,
  MEDIA_FOLDER,
  MEDIA_LIST_FOLDER,
  memberNumber,
  PART_BYTES,
  SECRET_KEY,
  TABLES_FOLDER,
  type TableRecord,
} from './format.ts'
import { recordBackup } from './records.ts'
import { copyOutStatement, jobsShape, listTables, readSequences, type TableShape } from './tables.ts'

/** `done` of `total` tables. */
export type BackupProgress = { table: string; done: number; total: number; rows: number; bytes: number; files: number }

type Report = (change: Partial<BackupProgress>) => void

export type BackupOptions = {
  config: Config
  files: FileStore
  /** Puts uploads and other files that cannot be fetched again into the archive. */
  withMedia: boolean
  onProgress?: (progress: BackupProgress) => void
}

const compress = promisify(gzip)
/** Faster than the default, and nearly as small. */
const COMPRESSION = { level: 3 }

/**
 * Writes one archive of the database as it was at one moment, while the server runs, and records the result for the dashboard.
 * Uses the memory of one part at a time. Throws BackupError.
 */
export async function createBackup(db: Database, file: string, options: BackupOptions): Promise<Manifest> {
  const now = (): { at: string } => ({ at: new Date().toISOString() })
  try {
    const { manifest, bytes } = await writeWhole(file, (output) => writeBackup(db, output, options))
    await recordBackup(db, { made: { ...now(), bytes }, failed: null })
    return manifest
  } catch (error) {
    await recordBackup(db, { failed: now() })
    throw error
  }
}

async function writeBackup(
  db: Database,
  output: Writable,
  options: BackupOptions,
): Promise<{ manifest: Manifest; bytes: number }> {
  const client = await db.dedicated()
  const archive = new ArchiveWriter(output)
  try {
    // The first statement takes the snapshot that all others see.
    await client.query('begin isolation level repeatable read read only')
    const about = await aboutOf(client, options.config)
    await archive.add(ABOUT, `${JSON.stringify(about, null, 1)}\n`)
    await archive.add(SECRET_KEY, await secretKeyOf(options.config))
    const progress: BackupProgress = { table: '', done: 0, total: 0, rows: 0, bytes: 0, files: 0 }
    const report: Report = (change) => options.onProgress?.(Object.assign(progress, change, { bytes: archive.bytes }))
    const tables = await writeTables(client, archive, report)
    const media = await writeMedia(client, archive, options, report)
    const sequences = await readSequences(client)
    await client.query('commit')
    const manifest = await archive.finish({ ...about, tables, sequences, media })
    return { manifest, bytes: archive.bytes }
  } catch (error) {
    const failure = mapDatabaseError(error, client)
    await archive.abort(failure)
    throw failure
  } finally {
    await client.end().catch(() => {})
  }
}

async function aboutOf(client: pg.Client, config: Config): Promise<About> {
  const { rows } = await client.query(`select to_regclass('schema_migrations') is not null as exists`)
  if (!rows[0].exists) throw new BackupError({ reason: 'not_migrated' })
  const applied = await client.query<AppliedMigration>(
    'select id, checksum from schema_migrations order by applied_at, id',
  )
  return {
    format: FORMAT,
    rookery: VERSION,
    created_at: new Date().toISOString(),
    domain: config.localDomain,
    migrations: applied.rows,
  }
}

/** Without it, the keys in the database open nothing. */
async function secretKeyOf(config: Config): Promise<string> {
  if (config.secretKeyBase !== null) return `${config.secretKeyBase}\n`
  const text = await readFile(join(config.dataDir, 'secret_key_base'), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new BackupError({ reason: 'no_secret' }, cause)
  })
  return `${text.trim()}\n`
}

async function writeTables(client: pg.Client, archive: ArchiveWriter, report: Report): Promise<TableRecord[]> {
  const shapes = await listTables(client)
  const jobs = await jobsShape(client)
  if (jobs) shapes.push(jobs)
  const records: TableRecord[] = []
  let rows = 0
  for (const shape of shapes) {
    const place = { table: shape.name, total: shapes.length }
    const record = await writeTable(client, archive, shape, () => report(place))
    records.push(record)
    rows += record.rows
    report({ ...place, done: records.length, rows })
  }
  return records
}

async function writeTable(
  client: pg.Client,
  archive: ArchiveWriter,
  shape: TableShape,
  onPart: () => void,
): Promise<TableRecord> {
  const record: TableRecord = { ...shape, rows: 0, parts: 0 }
  for await (const part of inParts(copyOut(client, copyOutStatement(shape)))) {
    record.rows += countRows(part)
    record.parts++
    const name = `${TABLES_FOLDER}${shape.name}/${memberNumber(record.parts)}.copy.gz`
    await archive.add(name, await compress(part, COMPRESSION))
    onPart()
  }
  return record
}

/** Parts of whole rows, as PostgreSQL sends each row in a message of its own. */
async function* inParts(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of source) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes < PART_BYTES) continue
    yield Buffer.concat(chunks)
    chunks = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(chunks)
}

/**
 * Null when the file has been deleted since it was found: afterwards, its size is in the archive, and the content must follow.
 */
async function startReading(file: StoredFile): Promise<Readable | null> {
  const content = file.stream()
  try {
    await once(content, 'readable')
    return content
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Lists every stored file with its size: `key`, tab, bytes, or `-` for a file that is missing. */
async function writeMedia(
  client: pg.Client,
  archive: ArchiveWriter,
  { files, withMedia }: BackupOptions,
  report: Report,
): Promise<Manifest['media']> {
  const media = { files: 0, included: 0, bytes: 0 }
  let parts = 0
  for await (const part of inParts(copyOut(client, `copy (${storedFilesQuery}) to stdout`))) {
    let list = ''
    for (const row of part.toString().trimEnd().split('\n')) {
      const [key = '', kind] = row.split('\t')
      const found = await files.open(key)
      const isIncluded = withMedia && kind !== 'remote'
      const content = found && isIncluded ? await startReading(found) : null
      const size = isIncluded && !content ? null : found?.size
      list += `${key}\t${size ?? '-'}\n`
      media.files++
      media.bytes += size ?? 0
      if (!content) continue
      await archive.addStream(MEDIA_FOLDER + key, (found as StoredFile).size, content)
      report({ files: ++media.included })
    }
    await archive.add(`${MEDIA_LIST_FOLDER}${memberNumber(++parts)}.tsv.gz`, await compress(list, COMPRESSION))
  }
  return media
}
