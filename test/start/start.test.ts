import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, Socket, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readConfig } from '../../src/config.ts'
import { openConnection } from '../../src/connection.ts'
import { openDatabase } from '../../src/db/database.ts'
import { reasonOf } from '../../src/lib/errors.ts'
import { createTestDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/server-pool.ts'
import { address, countPostgres, postgresGone, run, type Run } from './run-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'rookery-start-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** The data directory that most tests share: creating one is the slowest part. */
const DATA_DIR = join(folder, 'data')
const env = { DATA_DIR, PORT: '0', BIND: '127.0.0.1' }
const START = [process.execPath, 'scripts/start.js']

/** Runs a command, and kills it after the test, also when that fails. */
function launch(t: TestContext, command: string[], variables: Record<string, string> = env): Run {
  const server = run(command, variables)
  t.after(() => server.kill('SIGKILL', 'group'))
  return server
}

const isHealthy = async (server: Run): Promise<boolean> => (await fetch(`${await address(server)}/health`)).ok

/** Expects an exit with status 1, and returns the only line of output. */
async function refusal(server: Run): Promise<string> {
  assert.equal(await server.ended, 1, server.output())
  const lines = server.output().trim().split('\n')
  assert.equal(lines.length, 1, server.output())
  return lines[0] ?? ''
}

test('npm start serves and prints the setup link; SIGTERM to npm stops the server and PostgreSQL', async (t) => {
  const server = launch(t, ['npm', 'start', '--silent'])
  assert.equal(await isHealthy(server), true)
  // An owner, as it may have accounts.
  assert.match(server.output(), /has no owner yet\..* http:\/\/\S+\/auth\/setup\?token=\S+/)
  assert.ok(countPostgres(DATA_DIR) > 0)
  server.kill('SIGTERM')
  assert.equal(await server.ended, 0, server.output())
  assert.equal(countPostgres(DATA_DIR), 0)
})

test('a port in use is refused in one line, and PostgreSQL is stopped', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  const { port } = await new Promise<AddressInfo>((resolve) =>
    other.once('listening', () => resolve(other.address() as AddressInfo)),
  )
  assert.match(await refusal(launch(t, START, { ...env, PORT: String(port) })), new RegExp(`\\b${port}\\b.* in use`))
  assert.equal(countPostgres(DATA_DIR), 0)
})

test('with a full disk under its log, the server is alone on its data directory, and stops by itself when npm is killed', async (t) => {
  const port = String(await freePort())
  const command = ['sh', '-c', 'exec npm start --silent > /dev/full 2>&1']
  const server = launch(t, command, { ...env, PORT: port, LOG_LEVEL: 'info' })
  const isReady = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  assert.ok(await Promise.race([eventually(isReady), server.ended.then(() => false)]))
  let pid = 0
  await assert.rejects(openConnection(readConfig({ ...env, LOG_LEVEL: 'silent' }), 'server'), ({ message }: Error) => {
    pid = Number(/is in use by another Rookery \(pid (\d+)\)/.exec(message)?.[1])
    return pid > 0
  })
  // Log rotation sends it; only a terminal means a stop.
  process.kill(pid, 'SIGHUP')
  await sleep(300)
  assert.equal(await isReady(), true)
  server.kill('SIGKILL')
  await server.ended
  await postgresGone(DATA_DIR)
})

test('a connection that PostgreSQL ends while it closes does not count as lost', async () => {
  const { url, drop } = await createTestDatabase()
  const [terminate, terminated] = [Buffer.from('X\0\0\0\x04'), Buffer.from('E\0\0\0\x1cSFATAL\0C57P01\0Mstopping\0\0')]
  const ended: Buffer[] = []
  const stream = (): Socket => {
    const socket = new Socket()
    const write = socket.write.bind(socket)
    socket.once('connect', () => {
      socket.write = (data: any, ...more: any[]) => {
        // PostgreSQL stops before it reads that the connection closes.
        if (terminate.equals(data) && ended.push(data)) socket.emit('data', terminated)
        return write(data, ...more)
      }
    })
    return socket
  }
  const lost: Error[] = []
  const connection = { connectionString: url, stream }
  const database = openDatabase({ connection, poolSize: 1, sharedConnections: 1, onError: (error) => lost.push(error) })
  await database.transaction((tx) => tx.raw('select 1'))
  await database.close()
  assert.deepEqual([ended.length, lost], [1, []])
  await drop()
})

test('settings of the database do not change what statements mean', async () => {
  const { url, drop } = await createTestDatabase()
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const strange = {
    timezone: 'Pacific/Chatham',
    datestyle: 'German, DMY',
    intervalstyle: 'iso_8601',
    bytea_output: 'escape',
    extra_float_digits: '-10',
    standard_conforming_strings: 'off',
    transform_null_equals: 'on',
    array_nulls: 'off',
    gin_fuzzy_search_limit: '1',
    default_transaction_isolation: 'serializable',
  }
  const name = admin.escapeIdentifier(admin.database as string)
  for (const [setting, value] of Object.entries(strange))
    await admin.query(`alter database ${name} set ${setting} = '${value}'`)
  await admin.end()
  const connection = { connectionString: url }
  const database = openDatabase({ connection, poolSize: 1, sharedConnections: 1, onError: () => {} })
  const statement = String.raw`
    select timestamptz '2026-03-04 12:00:00.5Z' as instant, (timestamptz '2026-03-04 12:00Z')::date as day,
      (timestamptz '2026-03-04 12:00Z')::text as text, interval '90 minutes'::text as duration, '\xff'::bytea::text as bytes,
      0.1::float8 + 0.2 as sum, '1' ~ '^\d$' as is_digit, (select 1 = null) as nothing, '{null}'::text[] as nulls,
      current_setting('gin_fuzzy_search_limit') as matches, current_setting('transaction_isolation') as isolation`
  const expected = {
    instant: new Date('2026-03-04T12:00:00.500Z'),
    day: '2026-03-04',
    text: '2026-03-04 12:00:00+00',
    duration: '01:30:00',
    bytes: String.raw`\xff`,
    sum: 0.30000000000000004,
    is_digit: true,
    nothing: null,
    nulls: [null],
    matches: '0',
    isolation: 'read committed',
  }
  const dedicated = await database.dedicated()
  const results = [
    await database.raw(statement),
    await database.transaction((tx) => tx.raw(statement)),
    await dedicated.query(statement),
  ]
  await dedicated.end()
  await database.close()
  await drop()
  for (const { rows } of results) assert.deepEqual(rows, [expected])
})

test('a database that is unreachable, of another encoding or locale, of another user or program, with too few connections or beside an unusable data directory is refused', async (t) => {
  const database = await createTestDatabase()
  const admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
  const suffix = randomUUID().slice(0, 8)
  const [ascii, turkish, guest] = [`ascii_${suffix}`, `turkish_${suffix}`, `guest_${suffix}`]
  t.after(async () => {
    await admin.query(`drop database if exists ${ascii}`)
    await admin.query(`drop database if exists ${turkish}`)
    await admin.query(`drop owned by ${guest} cascade`)
    await admin.query(`drop role if exists ${guest}`)
    await admin.end()
    await database.drop()
  })
  await admin.query(
    `create database ${ascii} encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0 strategy file_copy`,
  )
  await admin.query(
    `create database ${turkish} locale_provider icu icu_locale 'tr' locale 'C' template template0 strategy file_copy`,
  )
  await admin.query(`create role ${guest} login`)
  const refused = (url: URL, message: RegExp, more: Record<string, string> = {}): Promise<void> =>
    assert.rejects(
      openConnection(readConfig({ ...env, DATABASE_URL: url.href, LOG_LEVEL: 'silent', ...more }), 'server'),
      (error: Error) => error.name === 'StartError' && message.test(error.message) && !error.message.includes('\n'),
    )
  const url = new URL(database.url)
  await refused(new URL('postgresql://stranger@127.0.0.1:1/rookery'), /DATABASE_URL/)
  await refused(url, /is not a folder/, { DATA_DIR: import.meta.filename })
  url.pathname = `/${ascii}`
  await refused(url, /encoding SQL_ASCII.*create database/)
  url.pathname = `/${turkish}`
  await refused(url, /locale in which I is not the capital of i.*create database/)
  url.pathname = new URL(database.url).pathname
  url.username = guest
  await refused(url, /may not create tables/)
  // The first connection is refused, or a later one of the same start.
  for (const limit of [0, 2]) {
    await admin.query(`alter role ${guest} connection limit ${limit}`)
    await assert.rejects(
      openConnection(readConfig({ ...env, DATABASE_URL: url.href, LOG_LEVEL: 'silent' }), 'server'),
      (error) => /^too many connections for role [^\n]* raise the limit [^\n]*DB_POOL\.$/.test(reasonOf(error) ?? ''),
    )
  }
  await admin.query(`alter role ${guest} connection limit -1`)
  // Before the first start, which creates an extension and a schema, the right to create tables is not enough.
  await admin.query(`grant create on schema public to ${guest}`)
  await admin.query('alter schema pgboss rename to former')
  await refused(url, /may not create tables and extensions/)
  await admin.query('alter schema former rename to pgboss')
  await admin.query(`create schema ${guest} authorization ${guest}`)
  await admin.query(`alter role ${guest} set search_path = ${guest}`)
  await refused(url, /alter extension pg_trgm set schema public/)
  await admin.query(`create table ${guest}.schema_migrations (version text)`)
  await refused(url, /tables of another program/)
  await admin.query(`alter role ${guest} set search_path = nowhere`)
  await refused(url, /No schema of the search_path exists/)
  await admin.query(`alter role ${guest} set default_transaction_read_only = on`)
  await refused(url, /default_transaction_read_only/)
})
