// node scripts/run.js bench/processes.ts [--seconds 4] [--rounds 2] [--connections 16] [--web 2]: compares reads
// of one process with those of several web processes on the same data, in turns. The driver shares the cores with the server.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fillCommunity, type Community } from './lib/community.ts'
import { cpuSeconds, residentMemory } from './lib/cpu.ts'
import { requestBytes, type Target } from './lib/http.ts'
import { loop } from './lib/loop.ts'
import { median } from './lib/numbers.ts'
import { freePort, settle, startBenchServer } from './lib/server.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '16' },
    web: { type: 'string', default: '2' },
    statuses: { type: 'string', default: '500' },
  },
})
const [seconds, rounds, connections, statuses] = [
  values.seconds,
  values.rounds,
  values.connections,
  values.statuses,
].map(Number) as [number, number, number, number]

const PATHS = {
  home: '/api/v1/timelines/home?limit=20',
  public: '/api/v1/timelines/public?limit=20',
  verify_credentials: '/api/v1/accounts/verify_credentials',
  notifications: '/api/v1/notifications?limit=20',
}
type Row = keyof typeof PATHS
type Figures = { perSecond: number; cpu: number; p99: number; errors: number }

const dataDir = join(mkdtempSync(join(tmpdir(), 'rookery-processes-')), 'data')
const port = await freePort()
const measured = new Map<string, Figures[]>()

async function measureRow(target: Target, pid: number, row: Row, { users }: Community): Promise<Figures> {
  const requests = users.map(({ token }) => requestBytes(target, { method: 'GET', path: PATHS[row], token }))
  let turn = 0
  const next = (): Buffer => requests[turn++ % requests.length] as Buffer
  await loop(target, next, { connections, seconds: 1 })
  const before = cpuSeconds(pid)
  const { answers, errors, seconds: took, p99 } = await loop(target, next, { connections, seconds })
  return { perSecond: answers / took, cpu: ((cpuSeconds(pid) - before) / answers) * 1000, p99, errors }
}

async function run(web: string, community: Community | null): Promise<Community> {
  process.env.WEB_CONCURRENCY = web
  const server = await startBenchServer(dataDir, port)
  const filled = community ?? (await fillCommunity(server.target, server.env, { statuses, progress: console.error }))
  await settle(server.pid)
  for (const row of Object.keys(PATHS) as Row[]) {
    const name = `${row} ${web}`
    measured.set(name, [...(measured.get(name) ?? []), await measureRow(server.target, server.pid, row, filled)])
  }
  console.error(`${web} web: ${residentMemory(server.pid).toFixed(0)} MB after load`)
  await server.stop()
  return filled
}

try {
  let community: Community | null = null
  for (let round = 0; round < rounds; round++)
    for (const web of ['1', values.web]) community = await run(web, community)
} finally {
  rmSync(join(dataDir, '..'), { recursive: true, force: true })
}

console.log(
  `${'reads'.padEnd(22)}${'web'.padStart(4)}${'per s'.padStart(8)}${'CPU s/1000'.padStart(12)}${'p99 ms'.padStart(9)}${'errors'.padStart(8)}`,
)
for (const row of Object.keys(PATHS))
  for (const web of ['1', values.web]) {
    const runs = measured.get(`${row} ${web}`) ?? []
    const middle = (of: (figures: Figures) => number): number => median(runs.map(of))
    const errors = runs.reduce((sum, each) => sum + each.errors, 0)
    console.log(
      `${row.padEnd(22)}${web.padStart(4)}${middle((f) => f.perSecond)
        .toFixed(0)
        .padStart(8)}${middle((f) => f.cpu)
        .toFixed(3)
        .padStart(12)}${middle((f) => f.p99)
        .toFixed(1)
        .padStart(9)}${String(errors).padStart(8)}`,
    )
  }
