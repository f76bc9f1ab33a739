import type { Bench } from './bench.ts'
import { cpuSeconds, databaseSeconds, machineSeconds } from './cpu.ts'
import { Connection, type Target } from './http.ts'
import { loop, type LoopResult, type Next } from './loop.ts'
import { median } from './numbers.ts'
import type { Measured, Row } from './row.ts'
import { settle } from './server.ts'
import type { World } from './world.ts'

type LoopRow = Pick<Row, 'name' | 'title' | 'target'> & {
  requests(world: World): Next
  /** Work goes on after the response: its CPU counts, too. */
  writes?: true
}

/** CPU seconds per 1000 responses. */
type Loaded = LoopResult & { cpu: number; database: number }

/** Seconds. The baseline varies less, and needs less time. */
const WARM_UP = 2
const BARE_SECONDS = 1

/** A row that compares the CPU of requests with a server that returns the same bytes, in turns. */
export const loopRow = ({ name, title, target, requests, writes }: LoopRow): Row => ({
  name,
  title,
  unit: 'CPU s/1000',
  target,
  async measure(bench) {
    const world = await bench.world()
    const next = requests(world)
    const { seconds, rounds } = bench.options
    const same = await copyAnswer(world, next)
    await load(bench, world.server, next, WARM_UP)
    await load(bench, world.bare, same, BARE_SECONDS / 2)
    const server: Loaded[] = []
    const bare: Loaded[] = []
    for (let round = 0; round < rounds; round++) {
      await settle(world.server.pid)
      server.push(await load(bench, world.server, next, seconds, writes))
      bare.push(await load(bench, world.bare, same, BARE_SECONDS))
    }
    return summary(server, bare)
  },
})

/** Lets the bare server return the response to a request, which it then receives each time. */
async function copyAnswer(world: World, next: Next): Promise<Next> {
  const request = next()
  if (!request) throw new Error('There are no requests left.')
  const connection = new Connection(world.server.target)
  const answer = await connection.send(request)
  connection.close()
  if (answer.status !== 200) throw new Error(`${answer.head}\n${answer.body.toString().slice(0, 300)}`)
  await world.bare.answerWith(answer)
  return () => request
}

async function load(
  bench: Bench,
  { target, pid }: { target: Target; pid: number },
  next: Next,
  seconds: number,
  writes?: true,
): Promise<Loaded> {
  const [before, database, machine, own] = [cpuSeconds(pid), databaseSeconds(pid), machineSeconds(), process.cpuUsage()]
  const result = await loop(target, next, { connections: bench.options.connections, seconds })
  const used = cpuSeconds(pid) - before
  const { user, system } = process.cpuUsage(own)
  const others = (machineSeconds() - machine - used - (user + system) / 1e6) / result.seconds
  if (others > 0.3) bench.options.progress(`  other programs use ${others.toFixed(1)} cores: rates and times suffer`)
  if (writes) await settle(pid)
  const thousands = result.answers / 1000
  const cpu = (cpuSeconds(pid) - before) / thousands
  return { ...result, cpu, database: (databaseSeconds(pid) - database) / thousands }
}

function summary(server: readonly Loaded[], bare: readonly Loaded[]): Measured {
  const middle = (runs: readonly Loaded[], of: (run: Loaded) => number): number => median(runs.map(of))
  const value = middle(server, ({ cpu }) => cpu)
  return {
    value,
    database: middle(server, ({ database }) => database),
    bareRatio: value / middle(bare, ({ cpu }) => cpu),
    perSecond: middle(server, ({ answers, seconds }) => answers / seconds),
    p50: middle(server, ({ p50 }) => p50),
    p99: middle(server, ({ p99 }) => p99),
    errors: server.reduce((sum, { errors }) => sum + errors, 0),
  }
}
