// npm run bench -- scale: how CPU and latency grow with the number of statuses.
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createUsers, type User } from '../lib/community.ts'
import { cpuSeconds } from '../lib/cpu.ts'
import { loop } from '../lib/loop.ts'
import { readable } from '../lib/numbers.ts'
import { freePort, settle, startBenchServer, type BenchServer } from '../lib/server.ts'
import { buildContent, type Content } from './build.ts'
import { requestsOf, WORKLOADS } from './requests.ts'

const HELP = `Builds servers with many statuses, and compares the smallest with the largest. Reads may cost 1.25 times as much CPU
(server and database), and writes 1.5 times.

Usage: npm run bench -- scale [OPTIONS]

  --sizes A,B        numbers of statuses (10000,1000000); a million takes 3 GB and some minutes
  --seconds N        how long each workload loads the server (3)
  --only A,B         only these workloads
  --keep FOLDER      builds each size once in this folder, and opens it again in later runs
  --build            only builds
  --json             prints the figures as JSON

Workloads: ${WORKLOADS.map(({ name }) => name).join(', ')}`

const USERS = 20
const CONNECTIONS = 8
const WARM_UP = 3
const BYTES_PER_STATUS = 4000
const DISK_LEFT = 5e9

type Figure = { cpu: number; p50: number; p99: number; errors: number }
type Figures = Record<string, Figure>
type Saved = { port: number; users: User[]; content: Content }
type Options = { seconds: number; only: Set<string> | null; progress(text: string): void }

/** Prints the table, or JSON. Sets the exit code when a workload grows too much. */
export async function runScale(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      sizes: { type: 'string', default: '10000,1000000' },
      seconds: { type: 'string', default: '3' },
      only: { type: 'string' },
      keep: { type: 'string' },
      build: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(HELP)
  const folder = values.keep ? resolve(values.keep) : mkdtempSync(join(tmpdir(), 'rookery-scale-'))
  const options: Options = {
    seconds: Number(values.seconds),
    only: values.only ? new Set(values.only.split(',')) : null,
    progress: (text) => console.error(text),
  }
  const figures = new Map<number, Figures>()
  try {
    for (const size of values.sizes.split(',').map(Number)) {
      const dataDir = join(folder, String(size))
      await build(dataDir, size, options.progress)
      if (!values.build) figures.set(size, await measureSize(dataDir, size, options))
      if (!values.keep) rmSync(dataDir, { recursive: true, force: true })
    }
  } finally {
    if (!values.keep) rmSync(folder, { recursive: true, force: true })
  }
  if (values.json) console.log(JSON.stringify(Object.fromEntries(figures), null, 2))
  else print(figures)
}

const savedIn = (dataDir: string): string => join(dataDir, 'scale.json')

async function build(dataDir: string, size: number, progress: (text: string) => void): Promise<void> {
  if (existsSync(savedIn(dataDir))) return
  const { bavail, bsize } = statfsSync(tmpdir())
  if (size * BYTES_PER_STATUS + DISK_LEFT > bavail * bsize)
    throw new Error(`The disk has no room for ${size} statuses.`)
  const begin = performance.now()
  const tell = (text: string): void =>
    progress(`${((performance.now() - begin) / 1000).toFixed(0).padStart(5)} s  ${size.toLocaleString('en')}: ${text}`)
  const port = await freePort()
  const server = await startBenchServer(dataDir, port)
  const usernames = Array.from({ length: USERS }, (_, i) => `person${i}`)
  const users = await createUsers(server.env, usernames).finally(() => server.stop())
  const content = await buildContent(server.env, { size, userIds: users.map(({ id }) => id), progress: tell })
  const saved: Saved = { port, users, content }
  writeFileSync(savedIn(dataDir), JSON.stringify(saved))
  tell('ready')
}

async function measureSize(dataDir: string, size: number, options: Options): Promise<Figures> {
  const { port, users, content } = JSON.parse(readFileSync(savedIn(dataDir), 'utf8')) as Saved
  const server = await startBenchServer(dataDir, port)
  const figures: Figures = {}
  try {
    // Migrations and autovacuum may have work to do after a start.
    await settle(server.pid, 120_000)
    for (const workload of WORKLOADS) {
      if (options.only && !options.only.has(workload.name)) continue
      const figure = await measure(server, requestsOf(workload, { target: server.target, users, content }), options)
      figures[workload.name] = figure
      options.progress(`${size.toLocaleString('en')}: ${workload.name} ${readable(figure.cpu)} CPU s/1000`)
    }
  } finally {
    await server.stop()
  }
  return figures
}

async function measure(
  server: BenchServer,
  next: ReturnType<typeof requestsOf>,
  { seconds }: Options,
): Promise<Figure> {
  await loop(server.target, next, { connections: CONNECTIONS, seconds: WARM_UP })
  await settle(server.pid)
  const before = cpuSeconds(server.pid)
  const { answers, p50, p99, errors } = await loop(server.target, next, { connections: CONNECTIONS, seconds })
  await settle(server.pid)
  return { cpu: ((cpuSeconds(server.pid) - before) / answers) * 1000, p50, p99, errors }
}

function print(figures: ReadonlyMap<number, Figures>): void {
  const sizes = [...figures.keys()]
  const [first, last] = [figures.get(sizes[0] as number), figures.get(sizes.at(-1) as number)]
  const head = sizes.map((size) => `${size.toLocaleString('en')}: CPU s/1000, p50, p99 ms`.padStart(42)).join('')
  console.log(`${'workload'.padEnd(18)}${head}   ratio  limit`)
  for (const { name, limit } of WORKLOADS) {
    const [smallest, largest] = [first?.[name], last?.[name]]
    if (!smallest || !largest) continue
    const ratio = largest.cpu / smallest.cpu
    const cells = sizes.map((size) => {
      const { cpu, p50, p99, errors } = (figures.get(size) as Figures)[name] as Figure
      const cell = `${readable(cpu)} ${p50.toFixed(1).padStart(8)} ${p99.toFixed(1).padStart(8)}`
      return `${errors > 0 ? `${errors} errors ` : ''}${cell}`.padStart(42)
    })
    if (ratio > limit) process.exitCode = 1
    console.log(
      `${name.padEnd(18)}${cells.join('')} ${ratio.toFixed(2).padStart(7)} ${String(limit).padStart(6)}${ratio > limit ? ' exceeded' : ''}`,
    )
  }
}
