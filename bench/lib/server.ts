import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ensureClient } from '../../scripts/lib/client-build.js'
import { cpuSeconds, residentMemory } from './cpu.ts'
import { once, type Target } from './http.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Milliseconds in which the server must start, and must stop. */
const START_LIMIT = 60_000
const STOP_LIMIT = 20_000

/** Milliseconds after which an idle server has returned the memory that load took. */
const REST_AFTER_LOAD = 10_000

const running = new Set<ChildProcess>()

/** Stops the servers that still run, when the benchmark is interrupted. */
export const stopServers = async (): Promise<void> => void (await Promise.all([...running].map(ended)))

export type BenchServer = {
  target: Target
  /** The first of the server's processes; the others, with PostgreSQL, descend from it. */
  pid: number
  /** Milliseconds from spawning it to the first successful response. */
  startedIn: number
  env: Record<string, string>
  stop(): Promise<void>
}

/**
 * Starts the server as `npm start` does, with its own database below `dataDir`. Limits on rates are off, as twenty users send what
 * thousands would; remote servers may be on loopback. `more`: further variables.
 */
export async function startBenchServer(
  dataDir: string,
  port: number,
  more: Record<string, string> = {},
): Promise<BenchServer> {
  // A start after a change of the client builds it, which is not what is measured.
  if (!(await ensureClient())) throw new Error('The web client does not build.')
  mkdirSync(dataDir, { recursive: true })
  const env = {
    PORT: String(port),
    LOCAL_DOMAIN: `localhost:${port}`,
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    REGISTRATIONS_MODE: 'open',
    ALLOWED_PRIVATE_ADDRESSES: '127.0.0.1',
    ...more,
  }
  const target = { port, host: `localhost:${port}` }
  const begin = performance.now()
  const child = spawn(process.execPath, [...profiling(), ...startArguments()], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', openSync(join(dataDir, 'server.log'), 'a'), 'inherit'],
  })
  running.add(child)
  child.once('exit', (code, signal) => {
    if (running.delete(child))
      console.error(`The server ended by itself: ${signal ?? code}. Its log: ${dataDir}/server.log`)
  })
  await untilAnswered(target, child, begin + START_LIMIT).catch(async (error: unknown) => {
    await ended(child)
    throw error
  })
  return { target, pid: child.pid as number, startedIn: performance.now() - begin, env, stop: () => ended(child) }
}

function startArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
  return scripts.start.replace(/^exec node /, '').split(' ')
}

/** `BENCH_NODE_OPTIONS` are options of Node for the server alone, such as --cpu-prof. */
const profiling = (): string[] => process.env.BENCH_NODE_OPTIONS?.split(' ') ?? []

async function untilAnswered(target: Target, child: ChildProcess, until: number): Promise<void> {
  for (;;) {
    if (!running.has(child)) throw new Error('The server does not start.')
    if (performance.now() > until) throw new Error('The server does not answer.')
    const answer = await once(target, { method: 'GET', path: '/api/v1/instance' }).catch(() => null)
    if (answer?.status === 200) return
    await delay(3)
  }
}

/** Ends a process that this benchmark started. */
async function ended(child: ChildProcess): Promise<void> {
  if (!running.delete(child)) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve()
    })
    child.kill('SIGTERM')
  })
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

/** Waits until server and database have done what they had to do: until they use less than a twentieth of a core for a second. */
export async function settle(pid: number, limit = 30_000): Promise<void> {
  const until = performance.now() + limit
  for (let calm = 0; calm < 4 && performance.now() < until;) {
    const before = cpuSeconds(pid)
    await delay(250)
    calm = cpuSeconds(pid) - before <= 0.0125 ? calm + 1 : 0
  }
}

/** Resident memory in MB at rest after load, without PostgreSQL. */
export async function memoryAfterLoad(pid: number): Promise<number> {
  await settle(pid)
  await delay(REST_AFTER_LOAD)
  return residentMemory(pid)
}
