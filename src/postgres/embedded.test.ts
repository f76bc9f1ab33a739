import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { eventually } from '../../test/support/eventually.ts'
import { createLog } from '../lib/log.ts'
import { locateBinaries } from './binaries.ts'
import { takePidLock } from './data-lock.ts'
import { chooseRunAs } from './run-as.ts'
import { connectOrStart, startEmbedded, type Embedded } from './embedded.ts'

const root = mkdtempSync(join(tmpdir(), 'rookery-embedded-'))
after(() => rmSync(root, { recursive: true, force: true }))

const log = createLog('silent')
/** The tests share one cluster, because its creation takes longer than all of them. */
const options = { dataDir: join(root, 'data'), log, settings: { fsync: 'off' } }
const clusterDir = join(options.dataDir, 'postgres')

async function query(server: Pick<Embedded, 'connection'> | string, text: string): Promise<any[]> {
  const client = new pg.Client(typeof server === 'string' ? server : server.connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Runs `work` with a started server, and then stops the server. */
async function running<T>(start: () => Promise<Embedded>, work: (server: Embedded) => Promise<T>): Promise<T> {
  const server = await start()
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

const postmasterPid = (): number => Number.parseInt(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8'), 10)

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

test('the first start creates the database, and the second one finds its data', async () => {
  const pid = await running(
    () => startEmbedded(options),
    async (server) => {
      await query(server, 'create table notes (body text)')
      await query(server.url, "insert into notes values ('ä'), ('Z')")
      return postmasterPid()
    },
  )
  assert.equal(isRunning(pid), false)
  const logFile = join(options.dataDir, 'postgres.log')
  // A large log that cannot be copied, as on a full disk, must not keep the server from starting.
  mkdirSync(`${logFile}.1`)
  writeFileSync(logFile, Buffer.alloc(9_000_000))
  await running(
    () => startEmbedded(options),
    async (server) => {
      assert.ok(statSync(logFile).size < 1_000_000)
      assert.deepEqual(await query(server, 'select body from notes order by body'), [{ body: 'Z' }, { body: 'ä' }])
      const [settings] = await query(
        server,
        `select current_setting('server_version_num')::int / 10000 as version, current_setting('data_checksums') as checksums,
                current_setting('synchronous_commit') as commit, current_setting('listen_addresses') as tcp, current_setting('timezone') as zone,
                pg_encoding_to_char(encoding) as encoding, datlocprovider as provider
         from pg_database where datname = current_database()`,
      )
      assert.deepEqual(settings, {
        version: 18,
        checksums: 'on',
        commit: 'on',
        tcp: '',
        zone: 'UTC',
        encoding: 'UTF8',
        provider: 'b',
      })
      // There is no password: the permissions of the socket folder protect the server.
      assert.equal(statSync(server.connection.host).mode & 0o777, 0o700)
    },
  )
})

test('a data directory has one server, which commands share', async () => {
  await running(
    () => startEmbedded(options),
    async (server) => {
      await assert.rejects(startEmbedded(options), {
        name: 'StartError',
        message: new RegExp(
          `^\\S+ is in use by another Rookery \\(pid ${process.pid}\\)\\. Stop that one, or set DATA_DIR`,
        ),
      })
      await running(
        () => connectOrStart(options),
        async (joined) => assert.deepEqual(joined.connection, server.connection),
      )
      await query(server, 'select 1')
    },
  )
})

test('a command that starts the server stops it only after other commands have finished', async () => {
  const first = await connectOrStart(options)
  const second = await connectOrStart(options)
  const stopped = first.stop()
  // An open session keeps the server running. Without one it stops within milliseconds.
  await sleep(200)
  const pid = postmasterPid()
  assert.equal(isRunning(pid), true)
  await second.stop()
  await stopped
  assert.equal(isRunning(pid), false)
})

test('a crashed server is restarted, and the log says so', async () => {
  const keys: unknown[] = []
  const note = (_fields: unknown, key?: string): void => void keys.push(key)
  await running(
    () => startEmbedded({ ...options, log: { info: (key: unknown) => void keys.push(key), warn: note, error: note } }),
    async (server) => {
      const crashed = postmasterPid()
      process.kill(crashed, 'SIGKILL')
      const rows = await eventually(async () => {
        const found = await query(server, 'select count(*)::int as notes from notes').catch(() => null)
        return postmasterPid() !== crashed && found
      })
      assert.deepEqual(rows, [{ notes: 2 }])
      await eventually(() => keys.includes('postgres.recovered'))
    },
  )
  assert.deepEqual(
    keys.filter((key) => key !== 'postgres.recovering'),
    ['postgres.ended', 'postgres.recovered'],
  )
})

test('an orphaned PostgreSQL of a killed run is stopped', async () => {
  const binaries = locateBinaries(join(root, 'links'))
  const args = ['-D', clusterDir, '-k', join(options.dataDir, 'run'), '-c', 'listen_addresses=']
  const left = chooseRunAs(clusterDir, binaries).spawn(binaries.postgres, args, { stdio: 'ignore', cwd: '/' })
  const ended = new Promise((resolve) => left.once('exit', resolve))
  const pidFile = join(clusterDir, 'postmaster.pid')
  await eventually(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').includes('ready'))
  await running(
    () => startEmbedded(options),
    async (server) => {
      await ended
      assert.notEqual(postmasterPid(), left.pid)
      await query(server, 'select 1')
    },
  )
})

test('lock files of a killed run do not prevent a start, even when its pid is in use again', async () => {
  writeFileSync(join(clusterDir, 'postmaster.pid'), `${process.pid}\n${clusterDir}\n`)
  writeFileSync(join(options.dataDir, 'run/.s.PGSQL.5432.lock'), `${process.pid}\n`)
  await running(
    () => startEmbedded(options),
    (server) => query(server, 'select 1'),
  )
})

test('the socket is in the temporary folder if the path of the data directory is too long', async () => {
  const dataDir = join(root, 'long'.repeat(25))
  cpSync(clusterDir, join(dataDir, 'postgres'), { recursive: true })
  const { host } = await running(
    () => startEmbedded({ ...options, dataDir }),
    async (server) => {
      await query(server.url, 'select 1')
      assert.equal(statSync(server.connection.host).mode & 0o777, 0o700)
      return server.connection
    },
  )
  assert.ok(!host.startsWith(root))
  assert.equal(existsSync(host), false)
})

const unusable: [string, (dataDir: string) => void, RegExp][] = [
  [
    'of another version',
    (dataDir) => {
      mkdirSync(join(dataDir, 'postgres'), { recursive: true })
      writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '17\n')
    },
    /^\S+ was created by PostgreSQL 17, and this Rookery includes PostgreSQL 18\. Make a backup with .*upgrade\.md\)\.$/,
  ],
  [
    'without a version',
    (dataDir) => {
      mkdirSync(join(dataDir, 'postgres'), { recursive: true })
      writeFileSync(join(dataDir, 'postgres/base'), '')
    },
    /^\S+ is not a PostgreSQL data directory \(it has no PG_VERSION\)\. .*$/,
  ],
  ['that is a file', (dataDir) => writeFileSync(dataDir, ''), /^The data directory \S+ is not a folder\. .*$/],
]
for (const [what, lay, message] of unusable)
  test(`a data directory ${what} is refused in one line`, async () => {
    const dataDir = join(root, what.replaceAll(' ', '-'))
    lay(dataDir)
    await assert.rejects(startEmbedded({ ...options, dataDir }), { name: 'StartError', message })
  })

test('a folder that cannot be created is refused in one line', async () => {
  await assert.rejects(startEmbedded({ ...options, dataDir: '/proc/rookery' }), {
    name: 'StartError',
    message: /^The data directory \/proc\/rookery cannot be used/,
  })
})

test('without flock(1) the lock is a file with a pid, invalid once that process has ended', async () => {
  const folder = join(root, 'locked')
  mkdirSync(folder)
  const lock = await takePidLock(folder, 0)
  assert.ok(lock)
  assert.equal(await takePidLock(folder, 0), null)
  lock.writeHolder({ pid: 2 ** 22 + 1, role: 'server' })
  const next = await takePidLock(folder, 0)
  assert.ok(next)
  next.release()
  assert.ok(await takePidLock(folder, 0))
})
