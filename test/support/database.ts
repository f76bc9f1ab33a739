import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mkdtempSync } from 'node:fs'
import pg from 'pg'
import { openDatabase } from '../../src/db/database.ts'
import { startEmbedded } from '../../src/postgres/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openQueue } from '../../src/jobs/queue.ts'
import { createLog } from '../../src/lib/log.ts'

export { sql } from '../../src/db/sql.ts'
export { newId, timeOfId } from '../../src/lib/ids.ts'

const TEMPLATE = 'rookery_template'

/** The PostgreSQL server of the test run, or a new one when a test file is run by itself. */
let serverUrl: Promise<string> | null = null
function findServer(): Promise<string> {
  serverUrl ??= (async () => {
    if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL
    const embedded = await startEmbedded({
      dataDir: mkdtempSync(join(tmpdir(), 'rookery-test-')),
      log: createLog('silent'),
      settings: { fsync: 'off', synchronous_commit: 'off' } as never,
    })
    process.once('beforeExit', () => void embedded.stop())
    return embedded.url
  })()
  return serverUrl
}

function withDatabase(url: string, database: string): string {
  const parsed = new URL(url)
  parsed.pathname = `/${database}`
  return parsed.toString()
}

async function onServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: withDatabase(await findServer(), 'postgres') })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The database is migrated. */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = await findServer()
  const database = `rookery_test_${randomBytes(6).toString('hex')}`
  await onServer(async (client) => {
    // Test files run in parallel: the first one creates the template, under a lock.
    await client.query('select pg_advisory_lock(7061)')
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [TEMPLATE])
    if (rows.length === 0) await makeTemplate(server, client)
    // Copying files takes a third of the time of the default strategy, which copies block by block.
    await client.query(`create database ${database} template ${TEMPLATE} strategy file_copy`)
    await client.query('select pg_advisory_unlock(7061)')
  })
  return {
    url: withDatabase(server, database),
    drop: () =>
      onServer(async (client) => void (await client.query(`drop database if exists ${database} with (force)`))),
  }
}

async function makeTemplate(server: string, client: pg.Client): Promise<void> {
  const making = `${TEMPLATE}_making`
  await client.query(`drop database if exists ${making} with (force)`)
  await client.query(`create database ${making}`)
  await migrateAll(withDatabase(server, making))
  await client.query(`alter database ${making} rename to ${TEMPLATE}`)
}

/** Creates all tables, those of the queue too. */
export async function migrateAll(connectionString: string): Promise<void> {
  const database = openDatabase({
    connection: { connectionString },
    poolSize: 2,
    sharedConnections: 1,
    onError: () => {},
  })
  await migrate(database)
  const queue = await openQueue(database, { runsJobs: true, onError: () => {} })
  await queue.stop()
  await database.close()
}
