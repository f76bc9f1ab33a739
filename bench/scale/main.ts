// npm run bench -- scale: how CPU and latency grow with the number of statuses. All sizes are measured in turns.
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { countIn, durationIn, namesIn, readArguments } from '../lib/arguments.ts'
import { createUsers } from '../lib/community.ts'
import { cpuSeconds } from '../lib/cpu.ts'
import { loop, type Next } from '../lib/loop.ts'
import { median, readable } from '../lib/numbers.ts'
import { freePort, settle, startBenchServer, type BenchServer } from '../lib/server.ts'
import { buildContent } from './build.ts'
import { type Filled, requestsOf, type Workload, WORKLOADS } from './requests.ts'

const HELP = `Builds servers with many statuses, and compares the smallest with the largest. Reads may cost 1.25 times as much CPU
(server and database), and writes 1.5 times.

Usage: npm run bench -- scale [OPTIONS]

  --sizes A,B        numbers of statuses (10000,1000000); a million takes 3 GB and some minutes
  --seconds N        how long each workload loads a server (3)
  --rounds N         rounds, of which the medians count (1)
  --only A,B         only these workloads
  --keep FOLDER      builds each size once in this folder, and opens it again in later runs
  --build            only builds
  --json             prints the figures as JSON

Workloads: ${WORKLOADS.map(({ name }) => name).join(', ')}`

const USERS = 20
const CONNECTIONS = 8
/** Seconds of each part of the warm-up, which ends when the caches are full. */
const WARM_UP = 3
const MAX_WARM_UPS = 8
/** Caches are full when a part costs more than this share of the one before. */
const SETTLED = 0.9
const BYTES_PER_STATUS = 4000
const DISK_LEFT = 5e9

type Figure = { cpu: number; p50: number; p99: number; errors: number }
/** By the name of the workload: a figure per size. */
type Figures = Map<string, Figure[]>
type Saved = Pick<Filled, 'users' | 'content'> & { port: number }
type Options = { seconds: number; rounds: number; only: Set<string> | null; progress(text: string): void }
type FilledServer = Filled & { server: BenchServer }

/** Prints the table, or JSON. Sets the exit code when a workload grows too much. */
export async function runScale(args: string[]): Promise<void> {
  const { values } = readArguments(HELP, {
    args,
    options: {
      sizes: { type: 'string', default: '10000,1000000' },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '1' },
      only: { type: 'string' },
      keep: { type: 'string' },
      build: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const options: Options = {
    seconds: durationIn(values, 'seconds'),
    rounds: countIn(values, 'rounds'),
    only: values.only
      ? namesIn(
          values.only,
          WORKLOADS.map(({ name }) => name),
        )
      : null,
    progress: (text) => console.error(text),
  }
  const sizes = values.sizes.split(',').map((size) => countIn({ sizes: size }, 'sizes'))
  const folder = values.keep ? resolve(values.keep) : mkdtempSync(join(tmpdir(), 'rookery-scale-'))
  try {
    for (const size of sizes) await build(join(folder, String(size)), size, options.progress)
    if (values.build) return
    const figures = await measureSizes(folder, sizes, options)
    if (values.json) console.log(JSON.stringify({ sizes, figures: Object.fromEntries(figures) }, null, 2))
    else print(sizes, figures)
  } finally {
    if (!values.keep) rmSync(folder, { recursive: true, force: true })
  }
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

/** The servers run side by side, so that what else the machine does changes the figures of all sizes alike. */
async function measureSizes(folder: string, sizes: readonly number[], options: Options): Promise<Figures> {
  const figures: Figures = new Map()
  const servers: FilledServer[] = []
  try {
    for (const size of sizes) servers.push(await open(join(folder, String(size))))
    for (const workload of WORKLOADS) {
      if (options.only && !options.only.has(workload.name)) continue
      const medians = await measureInTurns(servers, workload, options)
      figures.set(workload.name, medians)
      options.progress(`${workload.name}: ${medians.map(({ cpu }) => readable(cpu)).join(', ')} CPU s/1000`)
    }
  } finally {
    await Promise.all(servers.map(({ server }) => server.stop()))
  }
  return figures
}

/** A median per server. */
async function measureInTurns(
  servers: readonly FilledServer[],
  workload: Workload,
  { rounds, seconds }: Options,
): Promise<Figure[]> {
  const figures: Figure[][] = servers.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const [i, filled] of servers.entries())
      figures[i]?.push(await measure(filled.server, requestsOf(workload, filled), seconds))
  return figures.map(medianOf)
}

async function open(dataDir: string): Promise<FilledServer> {
  const { port, users, content } = JSON.parse(readFileSync(savedIn(dataDir), 'utf8')) as Saved
  const server = await startBenchServer(dataDir, port)
  // Migrations and autovacuum may have work to do after a start.
  await settle(server.pid, 120_000)
  return { server, target: server.target, users, content }
}

function medianOf(figures: readonly Figure[]): Figure {
  const of = (name: keyof Figure): number => median(figures.map((figure) => figure[name]))
  return {
    cpu: of('cpu'),
    p50: of('p50'),
    p99: of('p99'),
    errors: figures.reduce((sum, { errors }) => sum + errors, 0),
  }
}

async function measure(server: BenchServer, next: Next, seconds: number): Promise<Figure> {
  let last = Infinity
  for (let part = 0; part < MAX_WARM_UPS; part++) {
    const { cpu } = await load(server, next, WARM_UP)
    if (cpu > last * SETTLED) break
    last = cpu
  }
  return load(server, next, seconds)
}

async function load(server: BenchServer, next: Next, seconds: number): Promise<Figure> {
  const before = cpuSeconds(server.pid)
  const { answers, p50, p99, errors } = await loop(server.target, next, { connections: CONNECTIONS, seconds })
  await settle(server.pid)
  return { cpu: ((cpuSeconds(server.pid) - before) / answers) * 1000, p50, p99, errors }
}

function print(sizes: readonly number[], figures: Figures): void {
  const head = sizes.map((size) => `${size.toLocaleString('en')} statuses | p50 ms | p99 ms | `).join('')
  console.log(
    `| Workload | ${head}Ratio | Limit | Met |\n| --- | ${'--: | --: | --: | '.repeat(sizes.length)}--: | --: | --- |`,
  )
  for (const { name, limit } of WORKLOADS) {
    const measured = figures.get(name)
    const [smallest, largest] = [measured?.[0], measured?.at(-1)]
    if (!measured || !smallest || !largest) continue
    const cells = measured.flatMap(({ cpu, p50, p99, errors }) => [
      `${readable(cpu)}${errors > 0 ? ` (${errors} errors)` : ''}`,
      readable(p50),
      readable(p99),
    ])
    const ratio = largest.cpu / smallest.cpu
    if (ratio > limit) process.exitCode = 1
    console.log(
      `| \`${name}\` | ${cells.join(' | ')} | ${ratio.toFixed(2)} | ${limit} | ${ratio > limit ? 'no' : 'yes'} |`,
    )
  }
}
