import { setTimeout as delay } from 'node:timers/promises'
import { openConnection } from '../../src/connection.ts'
import { readConfig } from '../../src/config.ts'
import type { Bench } from '../lib/bench.ts'
import { cpuSeconds, databaseSeconds } from '../lib/cpu.ts'
import { Connection } from '../lib/http.ts'
import { loop, type Next } from '../lib/loop.ts'
import { median } from '../lib/numbers.ts'
import { FakeRemote } from '../lib/remote.ts'
import type { Row } from '../lib/row.ts'
import { settle } from '../lib/server.ts'

const ACTORS = 5
const FOLLOWERS = 5
const WARM_UP = 500
/** Milliseconds in which the notes of a round must be stored. */
const LIMIT = 60_000

/** Rates per second; CPU seconds per 1000 activities, which is milliseconds per activity. */
type Burst = {
  cpu: number
  database: number
  accepted: number
  processed: number
  errors: number
  p50: number
  p99: number
}
type Counter = () => Promise<number>

/** Bursts of signed notes by remote actors whom local users follow, until all are in the database and the server is quiet. */
async function measureInbox(bench: Bench): Promise<Burst & { bareRatio: number; firstSecond: number }> {
  const { users, server, bare } = await bench.world()
  const remote = new FakeRemote(server.target)
  const { database, close } = await openConnection(readConfig({ ...server.env, LOG_LEVEL: 'error' }), 'command')
  try {
    const actors = await remote.start(users.slice(1, 1 + FOLLOWERS), ACTORS)
    const stored: Counter = async () => {
      const { rows } = await database.raw('select count(*)::int as n from statuses where account_id = any($1)', [
        actors,
      ])
      return (rows[0] as { n: number }).n
    }
    const bursts: Burst[] = []
    const { connections, activities, rounds } = bench.options
    const beginnings: Burst[] = []
    await burst(server, await remote.deliveries(WARM_UP), stored, { connections })
    for (let round = 0; round < rounds; round++) {
      bursts.push(await burst(server, await remote.deliveries(activities), stored, { connections }))
      beginnings.push(await burst(server, await remote.deliveries(activities), stored, { connections, seconds: 1 }))
    }
    const figure = (of: keyof Burst): number => median(bursts.map((each) => each[of]))
    // Any request will do, as the bare server reads none.
    const [sample] = (await remote.deliveries(1)) as [Buffer]
    const connection = new Connection(server.target)
    await bare.answerWith(await connection.send(sample))
    connection.close()
    const before = cpuSeconds(bare.pid)
    const { answers } = await loop(bare.target, () => sample, { connections, seconds: 2 })
    const bareCpu = ((cpuSeconds(bare.pid) - before) / answers) * 1000
    const errors = [...bursts, ...beginnings].reduce((sum, each) => sum + each.errors, 0)
    return {
      cpu: figure('cpu'),
      database: figure('database'),
      accepted: figure('accepted'),
      processed: figure('processed'),
      firstSecond: median(beginnings.map(({ accepted }) => accepted)),
      p50: figure('p50'),
      p99: figure('p99'),
      errors,
      bareRatio: figure('cpu') / bareCpu,
    }
  } finally {
    remote.stop()
    await close()
  }
}

async function burst(
  { target, pid }: { target: { port: number; host: string }; pid: number },
  requests: readonly Buffer[],
  stored: Counter,
  { connections, seconds: limit = LIMIT / 1000 }: { connections: number; seconds?: number },
): Promise<Burst> {
  await settle(pid)
  let at = 0
  const next: Next = () => requests[at++] ?? null
  const before = await stored()
  const [cpu, database, start] = [cpuSeconds(pid), databaseSeconds(pid), performance.now()]
  const { answers, errors, seconds, p50, p99 } = await loop(target, next, { connections, seconds: limit })
  for (const until = start + LIMIT; (await stored()) < before + answers; await delay(50))
    if (performance.now() > until) throw new Error(`Only ${(await stored()) - before} notes were stored.`)
  const processedIn = (performance.now() - start) / 1000
  await settle(pid)
  return {
    cpu: ((cpuSeconds(pid) - cpu) / answers) * 1000,
    database: ((databaseSeconds(pid) - database) / answers) * 1000,
    accepted: answers / seconds,
    processed: answers / processedIn,
    errors,
    p50,
    p99,
  }
}

export const inbox: Row[] = [
  {
    name: 'inbox',
    title: 'inbox activity',
    unit: 'CPU s/1000',
    target: 1.5,
    async measure(bench) {
      const { cpu, database, bareRatio, p50, p99, errors } = await bench.shared(measureInbox)
      return { value: cpu, database, bareRatio, p50, p99, errors }
    },
  },
  {
    name: 'inbox_accepted',
    title: 'inbox: accepted while others are processed',
    unit: 'per second',
    target: 4000,
    atLeast: true,
    measure: async (bench) => ({ value: (await bench.shared(measureInbox)).accepted }),
  },
  {
    name: 'inbox_burst',
    title: 'inbox: accepted in the first second of a burst',
    unit: 'per second',
    target: 4000,
    atLeast: true,
    measure: async (bench) => ({ value: (await bench.shared(measureInbox)).firstSecond }),
  },
  {
    name: 'inbox_processed',
    title: 'inbox: processed',
    unit: 'per second',
    target: 1400,
    atLeast: true,
    measure: async (bench) => ({ value: (await bench.shared(measureInbox)).processed }),
  },
]
