import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import type { Config } from '../../config.ts'
import { mapDatabaseError } from '../../db/connection-loss.ts'
import { copyOut } from '../../db/copy.ts'
import type { Database } from '../../db/database.ts'
import { applyMigrations, knownMigrations, migrate } from '../../db/migrate.ts'
import { type FileStore, isFileKey } from '../../files/store.ts'
import { openQueue, WORKERS_LOCK } from '../../jobs/queue.ts'
import { OutcomeUnknown } from '../../lib/errors.ts'
import { storedFilesQuery } from '../media/stored-files.ts'
import { readArchive } from './archive-reader.ts'
import { type About, BackupError, type Manifest, MEDIA_FOLDER, SECRET_KEY } from './format.ts'
import { tableLoader } from './load.ts'
import {
  dropEverything,
  dropForeignKeys,
  isJobsShape,
  JOBS,
  listTables,
  moveJobs,
  prepareJobs,
  setSequence,
  type TableShape,
} from './tables.ts'

export type RestoreProgress = { step: 'verify' | 'restore' | 'check'; bytes: number }

export type RestoreOptions = {
  config: Config
  files: FileStore
  onProgress?: (progress: RestoreProgress) => void
}

/** Reads the whole archive, and checks that this version of Rookery and this server can restore it. Throws BackupError. */
export async function verifyBackup(file: string, { config, onProgress }: RestoreOptions): Promise<Manifest> {
  const manifest = await readArchive(file, {
    about: checkMigrations,
    async member(name, content) {
      if (name === SECRET_KEY) checkSecret(config, await textOf(content))
      else for await (const _ of content);
    },
    progress: (bytes) => onProgress?.({ step: 'verify', bytes }),
  })
  if (manifest.domain !== config.localDomain)
    throw new BackupError({ reason: 'other_domain', theirs: manifest.domain, own: config.localDomain })
  return manifest
}

const textOf = async (content: AsyncIterable<Buffer>): Promise<string> =>
  Buffer.concat(await Array.fromAsync(content)).toString()

function checkMigrations({ migrations, rookery }: About): void {
  const known = new Map(knownMigrations().map(({ id, checksum }) => [id, checksum]))
  if (migrations.some(({ id, checksum }) => known.get(id) !== checksum))
    throw new BackupError({ reason: 'newer', version: rookery })
}

function checkSecret(config: Config, archived: string): void {
  if (config.secretKeyBase !== null && config.secretKeyBase !== archived.trim())
    throw new BackupError({ reason: 'other_secret' })
}

/**
 * Puts the archive into an empty server: no account has signed up, and no process of it runs. Everything in the database changes
 * in one transaction, after the whole archive was verified. Throws BackupError.
 */
export async function restoreBackup(db: Database, file: string, options: RestoreOptions): Promise<Manifest> {
  await checkEmpty(db)
  const manifest = await verifyBackup(file, options)
  // Creates the queue's tables.
  await (await openQueue(db, { runsJobs: false, onError: () => {} })).stop()
  const client = await db.dedicated()
  const secretKey = secretKeyFile(options.config)
  try {
    await client.query('begin')
    const { rows } = await client.query('select pg_current_xact_id()::text as id')
    await load(client, file, manifest, { ...options, keepSecret: secretKey.prepare })
    await secretKey.replace()
    await client.query('commit').catch((error: unknown) => checkCommitted(db, rows[0].id, error))
  } catch (error) {
    const failure = mapDatabaseError(error, client)
    await client.query('rollback').catch(() => {})
    // The database may need the archived key now. If not, another restore goes on from there.
    if (!(error instanceof OutcomeUnknown)) await secretKey.undo()
    throw failure
  } finally {
    await client.end().catch(() => {})
  }
  await migrate(db)
  await db.raw('analyze')
  return manifest
}

/** Throws `error`, of a commit, unless it was carried out before the connection was lost; OutcomeUnknown if that cannot be seen. */
async function checkCommitted(db: Database, transactionId: string, error: unknown): Promise<void> {
  const { rows } = await db
    .raw('select pg_xact_status($1::xid8) as status', [transactionId])
    .catch((cause: unknown) => Promise.reject(new OutcomeUnknown(undefined, cause)))
  if (rows[0].status === 'in progress') throw new OutcomeUnknown(undefined, error)
  if (rows[0].status !== 'committed') throw error
}

/** How many uploads are not in the file store: the archive was made without them. */
export async function countMissingUploads(db: Database, files: FileStore): Promise<number> {
  const client = await db.dedicated()
  let missing = 0
  let rest = ''
  try {
    for await (const chunk of copyOut(client, `copy (${storedFilesQuery}) to stdout`)) {
      const lines = (rest + String(chunk)).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const [key = '', kind] = line.split('\t')
        if (kind === 'local' && !(await files.open(key))) missing++
      }
    }
    return missing
  } finally {
    await client.end().catch(() => {})
  }
}

/** Throws BackupError for a server that runs, or has users or posts. */
export async function checkEmpty(db: Database): Promise<void> {
  const { rows } = await db.raw(
    `select to_regclass('public.users') is not null as migrated, exists (
        select from pg_locks where locktype = 'advisory' and objid = $1
          and database = (select oid from pg_database where datname = current_database())) as running`,
    [WORKERS_LOCK],
  )
  if (rows[0].migrated) {
    const found = await db.raw(`select exists (select from users) or exists (select from statuses) as used`)
    if (found.rows[0].used) throw new BackupError({ reason: 'not_empty' })
  }
  if (rows[0].running) throw new BackupError({ reason: 'running' })
}

async function load(
  client: pg.Client,
  file: string,
  manifest: Manifest,
  options: RestoreOptions & { keepSecret(text: string): Promise<void> },
): Promise<void> {
  await dropEverything(client)
  await applyMigrations(client, manifest.migrations)
  const foreignKeys = await dropForeignKeys(client)
  const own = await listTables(client)
  if (!sameShapes(own, manifest.tables)) throw new BackupError({ reason: 'incomplete' })
  await client.query(`truncate ${own.map(({ name }) => `public."${name}"`).join(', ')}`)
  await prepareJobs(client)
  const loader = tableLoader(client, manifest.tables)
  await readArchive(file, {
    part: loader.part,
    async member(name, content) {
      await loader.end()
      if (name === SECRET_KEY) await options.keepSecret(await textOf(content))
      else if (name.startsWith(MEDIA_FOLDER)) await storeFile(options, name.slice(MEDIA_FOLDER.length), content)
      else for await (const _ of content);
    },
    progress: (bytes) => options.onProgress?.({ step: 'restore', bytes }),
  })
  await loader.end()
  options.onProgress?.({ step: 'check', bytes: 0 })
  const jobs = manifest.tables.find(({ name }) => name === JOBS)
  if (jobs) await client.query(moveJobs(jobs))
  for (const { name, value } of manifest.sequences) await setSequence(client, name, value)
  for (const statement of foreignKeys) await client.query(statement)
}

function sameShapes(own: readonly TableShape[], theirs: readonly TableShape[]): boolean {
  const [mine, archived] = [own, theirs].map((shapes) =>
    shapes
      .filter((shape) => !isJobsShape(shape))
      .map(({ name, columns }) => `${name}(${columns.toSorted().join()})`)
      .toSorted()
      .join(),
  )
  return mine === archived
}

async function storeFile(
  { config, files }: RestoreOptions,
  key: string,
  content: AsyncIterable<Buffer>,
): Promise<void> {
  if (!isFileKey(key)) throw new BackupError({ reason: 'damaged', member: MEDIA_FOLDER + key })
  const folder = join(config.dataDir, 'tmp')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // The clean-up of uploads finds what an interrupted process leaves.
  const path = join(folder, `upload-restored-${process.pid}`)
  try {
    await pipeline(Readable.from(content), createWriteStream(path, { mode: 0o600 }))
    await files.put(key, path, 'application/octet-stream')
  } finally {
    await rm(path, { force: true })
  }
}

type SecretKeyFile = {
  prepare(text: string): Promise<void>
  replace(): Promise<void>
  undo(): Promise<void>
}

/** The key of an empty server opens nothing any more: the archived one takes its place. Not with SECRET_KEY_BASE. */
function secretKeyFile(config: Config): SecretKeyFile {
  const nothing = async (): Promise<void> => {}
  if (config.secretKeyBase !== null) return { prepare: nothing, replace: nothing, undo: nothing }
  const file = join(config.dataDir, 'secret_key_base')
  let before: string | null = null
  let replaced = false
  return {
    async prepare(text) {
      await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
      await writeFile(`${file}.restored`, text, { mode: 0o600, flush: true })
    },
    async replace() {
      before = await readFile(file, 'utf8').catch(() => null)
      await rename(`${file}.restored`, file)
      replaced = true
    },
    async undo() {
      await rm(`${file}.restored`, { force: true })
      if (!replaced) return
      if (before === null) await rm(file, { force: true })
      else await writeFile(file, before, { mode: 0o600, flush: true })
    },
  }
}
