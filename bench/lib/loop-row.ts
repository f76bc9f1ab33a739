import type { Bench } from './bench.ts'
import { cpuSeconds, machineSeconds } from './cpu.ts'
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

type Loaded = LoopResult & { cpu: number }

/** Seconds. The baseline varies less, and needs less time. */
const WARM_UP = 1.5
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
    await copyAnswer(world, next)
    await load(bench, world.server, next, WARM_UP)
    await load(bench, world.bare, next, BARE_SECONDS / 2)
    const server: Loaded[] = []
    const bare: Loaded[] = []
    for (let round = 0; round < rounds; round++) {
      await settle(world.server.pid)
      server.push(await load(bench, world.server, next, seconds, writes))
      bare.push(await load(bench, world.bare, next, BARE_SECONDS))
    }
    return summary(server, bare)
  },
})

async function copyAnswer(world: World, next: Next): Promise<void> {
  const connection = new Connection(world.server.target)
  const answer = await connection.send(next() as Buffer)
  connection.close()
  if (answer.status !== 200) throw new Error(`${answer.head}\n${answer.body.toString().slice(0, 300)}`)
  await world.bare.answerWith(answer)
}

async function load(
  bench: Bench,
  { target, pid }: { target: Target; pid: number },
  next: Next,
  seconds: number,
  writes?: true,
): Promise<Loaded> {
  const [before, machine, own] = [cpuSeconds(pid), machineSeconds(), process.cpuUsage()]
  const result = await loop(target, next, { connections: bench.options.connections, seconds })
  const used = cpuSeconds(pid) - before
  const { user, system } = process.cpuUsage(own)
  const others = (machineSeconds() - machine - used - (user + system) / 1e6) / result.seconds
  if (others > 0.3) bench.options.progress(`  other programs use ${others.toFixed(1)} cores: rates and times suffer`)
  if (writes) await settle(pid)
  return { ...result, cpu: ((cpuSeconds(pid) - before) / result.answers) * 1000 }
}

function summary(server: readonly Loaded[], bare: readonly Loaded[]): Measured {
  const middle = (runs: readonly Loaded[], of: (run: Loaded) => number): number => median(runs.map(of))
  const value = middle(server, ({ cpu }) => cpu)
  return {
    value,
    bareRatio: value / middle(bare, ({ cpu }) => cpu),
    perSecond: middle(server, ({ answers, seconds }) => answers / seconds),
    p50: middle(server, ({ p50 }) => p50),
    p99: middle(server, ({ p99 }) => p99),
    errors: server.reduce((sum, { errors }) => sum + errors, 0),
  }
}
