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
import { findTool, type Binaries } from './binaries.ts'
import { displayPath } from './run-as.ts'
import { connectionTo, socketFile } from './connection.ts'
import type { RunAs } from './run-as.ts'
import { asArguments, type PostgresSettings } from './settings.ts'

export type PostmasterOptions = {
  clusterDir: string
  socketDir: string
  logFile: string
  settings: PostgresSettings
  binaries: Binaries
  runAs: RunAs
  log: { info(message: string): void; error(message: string): void }
}

export type Postmaster = {
  /** Ends the server, closing the connections that are left. */
  stop(): Promise<void>
}

const LOG_LIMIT = 8 * 1024 * 1024
const HOUR = 3_600_000
/** Between attempts to bring back a server that crashed. */
const PAUSES = [100, 500, 2000, 10_000]

/**
 * Starts the server and waits until it answers. It is started again when it ends by itself: its own crash recovery does
 * the rest. It ends with this process, in whatever way that ends. Throws StartError with PostgreSQL's own words.
 */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  let stopping = false
  let child = await launch(options)
  const rotation = setInterval(() => trimLog(options.logFile), HOUR).unref()
  const endWithUs = () => child.kill('SIGINT')
  process.once('exit', endWithUs)

  const revive = async () => {
    for (let attempt = 0; !stopping; attempt++) {
      await sleep(PAUSES[Math.min(attempt, PAUSES.length - 1)], undefined, { ref: false })
      if (stopping) return
      try {
        child = await launch(options, (started) => (child = started))
        options.log.info('postgres.recovered')
        return watch()
      } catch (error) {
        options.log.error((error as Error).message)
      }
    }
  }
  const watch = () => {
    child.unref()
    child.once('exit', (code, signal) => {
      if (stopping) return
      options.log.error(
        `PostgreSQL ended by itself (${signal ?? code}) and is started again; see ${displayFile(options.logFile)}`,
      )
      void revive()
    })
  }
  watch()

  return {
    async stop() {
      stopping = true
      clearInterval(rotation)
      process.off('exit', endWithUs)
      await end(child)
    },
  }
}

const displayFile = (file: string): string => displayPath(file).replace(/\/$/, '')

/** Starts the process and waits until the server answers. `onSpawn` gets the process at once. */
async function launch(options: PostmasterOptions, onSpawn?: (child: ChildProcess) => void): Promise<ChildProcess> {
  const { clusterDir, socketDir, logFile, settings, binaries, runAs } = options
  trimLog(logFile)
  // We hold the data directory, so no server uses this socket: what lies there is from one that was killed.
  for (const file of [socketFile(socketDir), `${socketFile(socketDir)}.lock`]) rmSync(file, { force: true })
  const output = openSync(logFile, 'a', 0o600)
  const logStart = fstatSync(output).size
  const args = ['-D', clusterDir, '-k', socketDir, ...asArguments(settings)]
  // When we are killed there is nobody left to stop it: the kernel tells it then. Elsewhere the next start ends it.
  const setpriv = findTool('setpriv')
  const [file, prefix] = setpriv ? [setpriv, ['--pdeathsig', 'INT', binaries.postgres]] : [binaries.postgres, []]
  let child: ChildProcess
  try {
    // A session of its own: Ctrl-C in a terminal is for us, and PostgreSQL goes last.
    child = runAs.spawn(file, [...prefix, ...args], { stdio: ['ignore', output, output], cwd: '/', detached: true })
  } finally {
    closeSync(output)
  }
  onSpawn?.(child)
  await ready(child, options, logStart)
  return child
}

/** Resolves when the server answers. Recovery after a crash may take its time; a server that ends, ends the waiting. */
async function ready(
  child: ChildProcess,
  { socketDir, logFile, clusterDir, log }: PostmasterOptions,
  logStart: number,
): Promise<void> {
  let failure: Error | undefined
  child.once('error', (error) => (failure = error))
  const patience = Date.now() + 2000
  for (let told = false; ; await sleep(10)) {
    if (failure || hasEnded(child)) {
      const reason =
        failure?.message ?? lastWords(logFile, logStart) ?? `it ended with ${child.signalCode ?? child.exitCode}`
      throw new StartError(
        `PostgreSQL did not start on ${displayPath(clusterDir)}: ${reason} (see ${displayFile(logFile)})`,
      )
    }
    if (await answers(socketDir)) return
    if (!told && Date.now() > patience) {
      told = true
      log.info('postgres.recovering')
    }
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

async function answers(socketDir: string): Promise<boolean> {
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

function lastWords(logFile: string, from: number): string | null {
  const text = readFileSync(logFile).subarray(from).toString()
  return text.match(/(?:FATAL|PANIC): +(.*)/)?.[1] ?? text.trim().split('\n').at(-1) ?? null
}

/** A log that has grown large becomes `postgres.log.1`. In place, since the server keeps the file open. */
function trimLog(logFile: string): void {
  if (!existsSync(logFile) || statSync(logFile).size < LOG_LIMIT) return
  copyFileSync(logFile, `${logFile}.1`)
  truncateSync(logFile)
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  child.ref()
  const ended = new Promise<true>((resolve) => child.once('exit', () => resolve(true)))
  const within = (ms: number) => Promise.race([ended, sleep(ms, false, { ref: false })])
  // What they mean to PostgreSQL: close the connections; leave recovery to the next start.
  if (child.kill('SIGINT') && (await within(8000))) return
  if (child.kill('SIGQUIT') && (await within(3000))) return
  child.kill('SIGKILL')
  await ended
}
