import { resolve } from 'node:path'
import { countIn, durationIn, namesIn, readArguments } from './lib/arguments.ts'
import type { User } from './lib/community.ts'
import { cpuSeconds, databaseSeconds, residentMemory } from './lib/cpu.ts'
import { temporaryFolder } from './lib/folders.ts'
import { requestBytes } from './lib/http.ts'
import { loop, type Next } from './lib/loop.ts'
import { median, readable } from './lib/numbers.ts'
import { settle, startBenchServer, stopServers, type BenchServer } from './lib/server.ts'
import { openWorld } from './lib/world.ts'

const HELP = `Compares reads of one process with those of several web processes, on the same data. Each round restarts the server with
each number of web processes, in an order that alternates. Before a row is measured, each process answers --warm of its
requests: then its caches are full and its code is compiled, as in the other configuration.

The table has the medians of the rounds: responses per second (the driver shares the cores with the server), CPU seconds of
all processes and the database per 1000 responses, the share of the database in it, and the 99th percentile. The last two
columns compare rate and CPU with one process, round by round.

Usage: node scripts/run.js bench/processes.ts [OPTIONS]

  --web N           web processes (2)
  --seconds N       how long each round loads the server (3)
  --rounds N        rounds (3)
  --warm N          requests that warm each process (3000)
  --connections N   requests under way at once (16)
  --statuses N      posts of the twenty users (500)
  --rows A,B        only these of home, public, verify_credentials, notifications
  --data FOLDER     fills this folder once, and opens it again in later runs`

const PATHS = {
  home: '/api/v1/timelines/home?limit=20',
  public: '/api/v1/timelines/public?limit=20',
  verify_credentials: '/api/v1/accounts/verify_credentials',
  notifications: '/api/v1/notifications?limit=20',
}
type Row = keyof typeof PATHS
type Figures = { perSecond: number; cpu: number; database: number; p99: number; errors: number }

/** Seconds within which the requests that warm a server must be answered. */
const WARM_LIMIT = 60

const { values } = readArguments(HELP, {
  options: {
    web: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    warm: { type: 'string', default: '3000' },
    connections: { type: 'string', default: '16' },
    statuses: { type: 'string', default: '500' },
    rows: { type: 'string', default: Object.keys(PATHS).join() },
    data: { type: 'string' },
  },
})
const [several, rounds, connections] = [
  countIn(values, 'web'),
  countIn(values, 'rounds'),
  countIn(values, 'connections'),
]
const [warmEach, statuses] = [countIn(values, 'warm'), countIn(values, 'statuses')]
const seconds = durationIn(values, 'seconds')
const rows = [...namesIn(values.rows, Object.keys(PATHS))] as Row[]
/** By row and number of web processes, one entry per round. */
const measured = new Map<string, Figures[]>()

async function measureRow({ target, pid }: BenchServer, row: Row, users: readonly User[], web: number): Promise<void> {
  const requests = users.map(({ token }) => requestBytes(target, { method: 'GET', path: PATHS[row], token }))
  let turn = 0
  const next = (): Buffer => requests[turn++ % requests.length] as Buffer
  const warm = warmEach * web
  const warming: Next = () => (turn < warm ? next() : null)
  await loop(target, warming, { connections, seconds: WARM_LIMIT })
  await settle(pid)
  const [before, database] = [cpuSeconds(pid), databaseSeconds(pid)]
  const { answers, errors, seconds: took, p99 } = await loop(target, next, { connections, seconds })
  const figures = {
    perSecond: answers / took,
    cpu: ((cpuSeconds(pid) - before) / answers) * 1000,
    database: ((databaseSeconds(pid) - database) / answers) * 1000,
    p99,
    errors,
  }
  measured.set(`${row} ${web}`, [...(measured.get(`${row} ${web}`) ?? []), figures])
}

async function run(): Promise<void> {
  const dataDir = resolve(values.data ?? temporaryFolder())
  const {
    server: filled,
    users,
    stop,
  } = await openWorld({
    statuses,
    data: dataDir,
    progress: console.error,
  })
  await stop()
  for (let round = 0; round < rounds; round++)
    for (const web of round % 2 === 0 ? [1, several] : [several, 1]) {
      const server = await startBenchServer(dataDir, filled.target.port, { WEB_CONCURRENCY: String(web) })
      for (const row of rows) await measureRow(server, row, users, web)
      console.error(`round ${round + 1}, web processes: ${web}, ${residentMemory(server.pid).toFixed(0)} MB after load`)
      await server.stop()
    }
}

const WIDTHS = [20, 5, 9, 12, 10, 9, 8, 10, 9]
const line = (cells: readonly string[]): string =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(WIDTHS[i] as number) : cell.padStart(WIDTHS[i] as number))).join('')

function report(row: Row, web: number): string {
  const [figures = [], one = []] = [measured.get(`${row} ${web}`), measured.get(`${row} 1`)]
  const middle = (of: (figures: Figures) => number): string => readable(median(figures.map(of)))
  const ratio = (of: (figures: Figures) => number): string =>
    median(figures.map((each, i) => of(each) / of(one[i] as Figures))).toFixed(2)
  return line([
    row,
    String(web),
    middle((each) => each.perSecond),
    middle((each) => each.cpu),
    middle((each) => each.database),
    middle((each) => each.p99),
    String(figures.reduce((sum, each) => sum + each.errors, 0)),
    ratio((each) => each.perSecond),
    ratio((each) => each.cpu),
  ])
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => void stopServers().finally(() => process.exit(1)))

await run().finally(stopServers)
console.log(line(['reads', 'web', 'per s', 'CPU s/1000', 'database', 'p99 ms', 'errors', 'rate/one', 'CPU/one']))
for (const row of rows) for (const web of [1, several]) console.log(report(row, web))
process.exit()
