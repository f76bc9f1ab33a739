import { setTimeout as sleep } from 'node:timers/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { StartError } from '../lib/errors.ts'
import { makePrivate } from '../lib/folders.ts'
import { locateBinaries } from './binaries.ts'
import { checkCluster, clusterDirOf, createCluster, dataDirError, prepareDataDir } from './cluster.ts'
import { connectionTo, DATABASE, makeSocketDir, removeSocketDir, connectionUrl, type Connection } from './connection.ts'
import { readHolder, takeLock, type DataLock, type LockHolder } from './data-lock.ts'
import { stopLeftovers } from './leftovers.ts'
import {
  type PostgresSettings,
  type Postmaster,
  type PostmasterOptions,
  SETTINGS,
  startPostmaster,
} from './postmaster.ts'
import { chooseRunAs, displayPath } from './run-as.ts'

export type EmbeddedOptions = {
  /** Created if missing. PostgreSQL's files are in its folder `postgres/`. */
  dataDir: string
  log: PostmasterOptions['log']
  settings?: PostgresSettings
}

export type Embedded = {
  /** A unix socket in a folder that only this user may enter, without a password. */
  connection: Connection
  url: string
  /** Stops the server if this process started it. Close the connections first. */
  stop(): Promise<void>
}

/** In milliseconds: for a server that is stopping, for a running command, and for other users of the database. */
const WAIT_FOR_SERVER = 1500
const WAIT_FOR_COMMAND = 20_000
const WAIT_FOR_OTHERS = 60_000

/**
 * Creates the files and the database `rookery` if they are missing. Stops what a killed run left behind, and ends when this
 * process ends. Throws StartError, for example for a data directory in use, of another version or of another owner.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const dataDir = resolve(options.dataDir)
  return guarded(dataDir, async () => {
    prepareDataDir(dataDir)
    let lock = await takeLock(dataDir, WAIT_FOR_SERVER)
    if (!lock && readHolder(dataDir)?.role === 'command') lock = await takeLock(dataDir, WAIT_FOR_COMMAND)
    if (!lock) throw inUse(dataDir)
    return startLocked({ ...options, dataDir }, lock, 'server')
  })
}

/**
 * For commands: connects to the running server, or starts it until `stop()` is called. Several commands may share it. Throws
 * StartError as `startEmbedded` does.
 */
export async function connectOrStart(options: EmbeddedOptions): Promise<Embedded> {
  const dataDir = resolve(options.dataDir)
  return guarded(dataDir, async () => {
    prepareDataDir(dataDir)
    for (const until = Date.now() + WAIT_FOR_COMMAND; Date.now() < until; await sleep(50)) {
      const lock = await takeLock(dataDir)
      if (lock) return startLocked({ ...options, dataDir }, lock, 'command')
      const connection = readHolder(dataDir)?.connection
      const client = connection && (await connect(connection))
      if (!client) continue
      // While the connection is open, the command that started the server does not stop it, unless it has begun to do so.
      if (readHolder(dataDir)?.connection)
        return { connection, url: connectionUrl(connection), stop: () => client.end() }
      await client.end()
    }
    throw inUse(dataDir)
  })
}

async function startLocked(options: EmbeddedOptions, lock: DataLock, role: LockHolder['role']): Promise<Embedded> {
  const { dataDir } = options
  try {
    lock.writeHolder({ pid: process.pid, role })
    // `chooseRunAs` opens the folder again where PostgreSQL runs as another user.
    if (!makePrivate(dataDir)) options.log.warn({ dataDir }, 'data-directory.not-private')
    const { postmaster, socketDir } = await startServer(options)
    const connection = connectionTo(socketDir)
    lock.writeHolder({ pid: process.pid, role, connection })
    return {
      connection,
      url: connectionUrl(connection),
      async stop() {
        if (role === 'command') {
          // New commands wait from now on; this one waits for the others.
          lock.writeHolder({ pid: process.pid, role })
          await untilUnused(connection)
        }
        await postmaster.stop()
        removeSocketDir(dataDir, socketDir)
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

async function startServer({
  dataDir,
  log,
  settings,
}: EmbeddedOptions): Promise<{ postmaster: Postmaster; socketDir: string }> {
  const merged = { ...SETTINGS, ...settings }
  const exists = checkCluster(dataDir)
  const binaries = locateBinaries(join(dataDir, 'postgres-lib'))
  const clusterDir = clusterDirOf(dataDir)
  const runAs = chooseRunAs(clusterDir, binaries)
  if (!exists) await createCluster(dataDir, { runAs, binaries, durable: merged.fsync !== 'off' })
  else if (await stopLeftovers(clusterDir)) log.info('postgres.leftover-ended')
  const socketDir = makeSocketDir(dataDir, runAs)
  const logFile = join(dataDir, 'postgres.log')
  const postmaster = await startPostmaster({ clusterDir, socketDir, logFile, settings: merged, binaries, runAs, log })
  try {
    await ensureDatabase(socketDir)
  } catch (error) {
    await postmaster.stop()
    throw error
  }
  return { postmaster, socketDir }
}

async function ensureDatabase(socketDir: string): Promise<void> {
  const client = new pg.Client(connectionTo(socketDir, 'postgres'))
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (!rowCount) await client.query(`create database ${DATABASE}`)
  } catch (error) {
    throw new StartError(`PostgreSQL could not create the database ${DATABASE}: ${(error as Error).message}`, {
      cause: error,
    })
  } finally {
    await client.end()
  }
}

/** Waits until no other connection is open, for a minute at most. */
async function untilUnused(connection: Connection): Promise<void> {
  const client = await connect(connection)
  if (!client) return
  const others = `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`
  try {
    for (const until = Date.now() + WAIT_FOR_OTHERS; Date.now() < until; await sleep(20))
      if ((await client.query(others)).rowCount === 0) return
  } catch {
    // The server ended by itself.
  } finally {
    await client.end().catch(() => {})
  }
}

/** Null while the server is starting or stopping. */
async function connect(connection: Connection): Promise<pg.Client | null> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw error
    return null
  }
}

function inUse(dataDir: string): StartError {
  const pid = readHolder(dataDir)?.pid
  return new StartError(
    `${displayPath(dataDir)} is in use by another Rookery${pid ? ` (pid ${pid})` : ''}. Stop that one, or set DATA_DIR to another folder.`,
  )
}

async function guarded<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (error instanceof StartError || code === undefined || syscall === undefined) throw error
    throw dataDirError(dataDir, error as NodeJS.ErrnoException)
  }
}
