import type { ChildProcess } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { type Binaries, findTool } from './binaries.ts'
import { connectionTo, socketFile } from './connection.ts'
import { type RunAs, displayPath } from './run-as.ts'

export type PostmasterOptions = {
  clusterDir: string
  socketDir: string
  logFile: string
  settings: PostgresSettings
  binaries: Binaries
  runAs: RunAs
  log: Pick<Log, 'info' | 'warn' | 'error'>
}

export type Postmaster = {
  stop(): Promise<void>
}

const LOG_LIMIT = 8 * 1024 * 1024
const HOUR = 3_600_000
/** In milliseconds, for a crashed server. */
const RESTART_DELAYS = [100, 500, 2000, 10_000]

/**
 * Waits until the server accepts connections. Restarts it after a crash, from which it recovers by itself. It ends with this
 * process. Throws StartError with PostgreSQL's message.
 */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  let stopping = false
  let child = await launch(options)
  const rotation = setInterval(() => trimLog(options.logFile, options.log), HOUR).unref()
  const stopWithProcess = () => child.kill('SIGINT')
  process.once('exit', stopWithProcess)

  const restart = async () => {
    for (let attempt = 0; !stopping; attempt++) {
      await sleep(RESTART_DELAYS[Math.min(attempt, RESTART_DELAYS.length - 1)], undefined, { ref: false })
      if (stopping) return
      try {
        child = await launch(options, (started) => (child = started))
        options.log.info('postgres.recovered')
        return watch()
      } catch (error) {
        options.log.error({ err: error }, 'postgres.restart-failed')
      }
    }
  }
  const watch = () => {
    child.unref()
    child.once('exit', (code, signal) => {
      if (stopping) return
      options.log.error({ code, signal, logFile: options.logFile }, 'postgres.ended')
      void restart()
    })
  }
  watch()

  return {
    async stop() {
      stopping = true
      clearInterval(rotation)
      process.off('exit', stopWithProcess)
      await end(child)
    },
  }
}

const displayFile = (file: string): string => displayPath(file).replace(/\/$/, '')

/** Waits until the server accepts connections. `onSpawn` receives the process before that. */
async function launch(options: PostmasterOptions, onSpawn?: (child: ChildProcess) => void): Promise<ChildProcess> {
  const { clusterDir, socketDir, logFile, settings, binaries, runAs } = options
  trimLog(logFile, options.log)
  // This process holds the lock of the data directory, so these files are from a killed server.
  for (const file of [socketFile(socketDir), `${socketFile(socketDir)}.lock`]) rmSync(file, { force: true })
  const output = openSync(logFile, 'a', 0o600)
  const logStart = fstatSync(output).size
  const args = ['-D', clusterDir, '-k', socketDir, ...asArguments(settings)]
  // When this process is killed, the kernel signals the server. On other systems the next start stops it.
  const setpriv = findTool('setpriv')
  const [file, prefix] = setpriv ? [setpriv, ['--pdeathsig', 'INT', binaries.postgres]] : [binaries.postgres, []]
  let child: ChildProcess
  try {
    // A separate session: Ctrl-C in a terminal must not reach PostgreSQL, which stops last.
    child = runAs.spawn(file, [...prefix, ...args], { stdio: ['ignore', output, output], cwd: '/', detached: true })
  } finally {
    closeSync(output)
  }
  onSpawn?.(child)
  await ready(child, options, logStart)
  return child
}

/** Resolves when the server accepts connections, however long its recovery takes. Throws StartError when it ends. */
async function ready(
  child: ChildProcess,
  { socketDir, logFile, clusterDir, log }: PostmasterOptions,
  logStart: number,
): Promise<void> {
  let failure: Error | undefined
  child.once('error', (error) => (failure = error))
  const slowAfter = Date.now() + 2000
  for (let logged = false; ; await sleep(10)) {
    if (failure || hasEnded(child)) {
      const reason =
        failure?.message ?? lastMessage(logFile, logStart) ?? `it ended with ${child.signalCode ?? child.exitCode}`
      throw new StartError(
        `PostgreSQL did not start on ${displayPath(clusterDir)}: ${reason} (see ${displayFile(logFile)})`,
      )
    }
    if (await acceptsConnections(socketDir)) return
    if (!logged && Date.now() > slowAfter) {
      logged = true
      log.info('postgres.recovering')
    }
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

async function acceptsConnections(socketDir: string): Promise<boolean> {
  const client = new pg.Client(connectionTo(socketDir, 'postgres'))
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** Why the server ended: its first fatal message that is not the refusal of a connection, or else its last line. */
function lastMessage(logFile: string, from: number): string | null {
  const text = readFileSync(logFile).subarray(from).toString()
  return text.match(/(?:FATAL|PANIC): +(?!the database system is )(.*)/)?.[1] ?? text.trim().split('\n').at(-1) ?? null
}

/** Copies a large log to `postgres.log.1` and truncates it, since the server has the file open. */
function trimLog(logFile: string, log: Pick<Log, 'warn'>): void {
  if (!existsSync(logFile) || statSync(logFile).size < LOG_LIMIT) return
  try {
    copyFileSync(logFile, `${logFile}.1`)
  } catch (error) {
    // On a full disk, room matters more than a copy.
    log.warn({ err: error }, 'postgres.log-not-copied')
  }
  truncateSync(logFile)
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  child.ref()
  const ended = new Promise<true>((resolve) => child.once('exit', () => resolve(true)))
  const within = (ms: number) => Promise.race([ended, sleep(ms, false, { ref: false })])
  // SIGINT: fast shutdown. SIGQUIT: immediate shutdown, with recovery at the next start.
  if (child.kill('SIGINT') && (await within(8000))) return
  if (child.kill('SIGQUIT') && (await within(3000))) return
  child.kill('SIGKILL')
  await ended
}

export type PostgresSettings = Record<string, string | number>

/**
 * For one small machine. Acknowledged writes are on disk (fsync and synchronous_commit stay on). The log contains errors, but
 * neither statements nor values, which may be private.
 */
export const SETTINGS: PostgresSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: 100,
  shared_buffers: '128MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  random_page_cost: 1.1,
  jit: 'off',
  wal_compression: 'on',
  // Recovery after a crash reads this much again, in a second or two.
  max_wal_size: '512MB',
  checkpoint_timeout: '10min',
  // While tables grow fast, plans and statistics that fit their former size are replaced within seconds.
  autovacuum_naptime: '15s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
}

function asArguments(settings: PostgresSettings): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
