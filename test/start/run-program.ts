import { spawn } from 'node:child_process'
import { readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export const root = join(import.meta.dirname, '../..')

export type Run = {
  pid: number
  /** The output so far. */
  output(): string
  /** Sends a signal to the process or its process group. Does nothing when it has exited. */
  kill(signal: NodeJS.Signals, target?: 'process' | 'group'): void
  /** The exit status, or the signal that ended it. */
  ended: Promise<number | string>
}

/** The running programs. They have process groups of their own, so they would survive an aborted test. */
const running = new Set<Run>()
const endAll = (): void => {
  for (const one of running) one.kill('SIGKILL', 'group')
}
process.once('exit', endAll)
process.once('SIGTERM', () => process.exit(143))

/** Runs a command in its own process group, as a terminal would, and without the environment of this test. */
export function run(command: string[], env: Record<string, string> = {}, cwd = root): Run {
  const [file = '', ...args] = command
  const basic = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', LOG_LEVEL: 'warn' }
  const child = spawn(file, args, { cwd, detached: true, env: { ...basic, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = new Promise<number | string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(signal ?? code ?? 0))
  })
  const pid = child.pid ?? 0
  const one: Run = {
    pid,
    ended,
    output: () => output,
    kill(signal, target = 'process') {
      try {
        process.kill(target === 'group' ? -pid : pid, signal)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    },
  }
  running.add(one)
  const remove = () => void running.delete(one)
  ended.then(remove, remove)
  return one
}

/** Milliseconds: several processes start one after the other, beside other tests. */
const START_LIMIT = 120_000

/** Waits until the server prints its address, and returns it. */
export async function address(server: Run): Promise<string> {
  let over: number | string | undefined
  void server.ended.then((how) => (over = how))
  for (const until = Date.now() + START_LIMIT; Date.now() < until; await sleep(20)) {
    const port = /http:\/\/(?:localhost|127\.0\.0\.1):([1-9]\d+)/.exec(server.output())?.[1]
    if (port) return `http://127.0.0.1:${port}`
    if (over !== undefined) break
  }
  throw new Error(`the server did not get ready (${over ?? 'still running'}):\n${server.output()}`)
}

/** The ids of the PostgreSQL processes of a data directory. */
export function listPostgres(dataDir: string): number[] {
  const folder = realpathSync(join(dataDir, 'postgres'))
  const pids = readdirSync('/proc').filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder
    } catch {
      return false
    }
  })
  return pids.map(Number)
}

/** The number of running PostgreSQL processes of a data directory. */
export const countPostgres = (dataDir: string): number => listPostgres(dataDir).length

/** Waits until no PostgreSQL process of the data directory runs. */
export async function postgresGone(dataDir: string): Promise<void> {
  for (const until = Date.now() + START_LIMIT; countPostgres(dataDir) > 0; await sleep(20))
    if (Date.now() > until) throw new Error(`PostgreSQL is still running on ${dataDir}`)
}

/** PATH without node_modules and this Node: the PATH outside npm scripts. */
export function systemPath(): string {
  const folders = (process.env.PATH ?? '').split(':')
  return folders.filter((folder) => !folder.includes('node_modules') && folder !== dirname(process.execPath)).join(':')
}

/** The major version of the Node in these folders; 0 without one. */
export async function nodeVersion(path: string): Promise<number> {
  const node = run(['/bin/sh', '-c', 'command -v node >/dev/null && node --version'], { PATH: path })
  await node.ended
  return Number.parseInt(node.output().slice(1), 10) || 0
}
