import { setTimeout as delay } from 'node:timers/promises'
import type { Bench } from '../lib/bench.ts'
import { cpuSeconds } from '../lib/cpu.ts'
import { openCrowd, type Crowd } from '../lib/crowd.ts'
import { Connection, requestBytes } from '../lib/http.ts'
import { median, quantile } from '../lib/numbers.ts'
import { pacedRequests } from '../lib/paced.ts'
import type { Row } from '../lib/row.ts'
import { settle } from '../lib/server.ts'
import { untilVisible } from './fan-out.ts'

const POSTS = 5
/** Posts one after the other for the rate of deliveries. */
const SUSTAINED = 10
/** Seconds of load on the idle server. */
const IDLE = 5
const READS = ['/api/v1/timelines/home?limit=20', '/api/v1/notifications', '/api/v1/accounts/verify_credentials']

/** Milliseconds, apart from `deliveries` (per second) and `cpu` (seconds per 1000 deliveries). */
type Fanned = {
  answered: number
  visible: number
  written: number
  idleP99: number
  busyP99: number
  deliveries: number
  cpu: number
}

async function measureFollowers(bench: Bench): Promise<Fanned> {
  await bench.closeWorld()
  const crowd = await openCrowd(bench.options.followers, bench.options.progress)
  const { server, readers } = crowd
  const connection = new Connection(server.target)
  try {
    for (let i = 0; i < 2; i++) await untilInAllFeeds(crowd, await publish(crowd, connection))
    const answered: number[] = []
    const visible: number[] = []
    const written: number[] = []
    for (let i = 0; i < POSTS; i++) {
      await settle(server.pid)
      const begin = performance.now()
      const id = await publish(crowd, connection)
      answered.push(performance.now() - begin)
      await untilInAllFeeds(crowd, id)
      visible.push(performance.now() - begin)
      await crowd.written()
      written.push(performance.now() - begin)
    }
    const requests = readers.flatMap(({ token }) =>
      READS.map((path) => requestBytes(server.target, { method: 'GET', path, token })),
    )
    const idle = await pacedRequests(server.target, requests, () => delay(IDLE * 1000))
    const busy = await pacedRequests(server.target, requests, async () => {
      for (let i = 0; i < POSTS; i++) {
        await untilInAllFeeds(crowd, await publish(crowd, connection))
        await crowd.written()
      }
    })
    const sustained = await sustain(crowd, connection)
    return {
      answered: median(answered),
      visible: median(visible),
      written: median(written),
      idleP99: quantile(idle, 0.99),
      busyP99: quantile(busy, 0.99),
      ...sustained,
    }
  } finally {
    connection.close()
    await crowd.stop()
  }
}

async function sustain(crowd: Crowd, connection: Connection): Promise<{ deliveries: number; cpu: number }> {
  const { server, followers } = crowd
  await settle(server.pid)
  const [cpu, begin] = [cpuSeconds(server.pid), performance.now()]
  const ids: string[] = []
  for (let i = 0; i < SUSTAINED; i++) ids.push(await publish(crowd, connection))
  for (const id of ids) await untilInAllFeeds(crowd, id)
  await crowd.written()
  const seconds = (performance.now() - begin) / 1000
  await settle(server.pid)
  const delivered = SUSTAINED * followers
  return { deliveries: delivered / seconds, cpu: ((cpuSeconds(server.pid) - cpu) / delivered) * 1000 }
}

async function publish({ server, author }: Crowd, connection: Connection): Promise<string> {
  const body = { status: `For very many followers, at ${new Date().toISOString()}` }
  const call = { method: 'POST', path: '/api/v1/statuses', token: author.token, body }
  const answer = await connection.send(requestBytes(server.target, call))
  return (JSON.parse(answer.body.toString()) as { id: string }).id
}

/** The readers stand for all: they are spread evenly, and the last one followed last. */
async function untilInAllFeeds({ server, readers }: Crowd, id: string): Promise<void> {
  const connection = new Connection(server.target)
  for (const reader of readers.toReversed())
    await untilVisible({ target: server.target, newest: 2 * SUSTAINED }, reader, id, connection)
  connection.close()
}

const figure = (row: Omit<Row, 'measure'>, of: (fanned: Fanned) => number): Row => ({
  ...row,
  measure: async (bench) => ({ value: of(await bench.shared(measureFollowers)) }),
})

export const followers: Row[] = [
  figure(
    { name: 'followers_answered', title: 'a post to 100,000 followers is answered', unit: 'ms', target: null },
    ({ answered }) => answered,
  ),
  figure(
    { name: 'followers_visible', title: 'all of 100,000 followers see a post', unit: 'ms', target: 250 },
    ({ visible }) => visible,
  ),
  figure(
    { name: 'followers_written', title: 'the post is stored in all their feeds', unit: 'ms', target: null },
    ({ written }) => written,
  ),
  figure(
    { name: 'followers_idle_p99', title: 'other requests on the idle server, p99', unit: 'ms', target: null },
    ({ idleP99 }) => idleP99,
  ),
  figure(
    {
      name: 'followers_busy_p99',
      title: 'the same during posts to 100,000 followers, compared with idle',
      unit: 'times',
      target: 2,
    },
    ({ idleP99, busyP99 }) => busyP99 / idleP99,
  ),
  figure(
    {
      name: 'deliveries',
      title: 'sustained deliveries to home feeds',
      unit: 'per second',
      target: 500_000,
      atLeast: true,
    },
    ({ deliveries }) => deliveries,
  ),
  figure(
    { name: 'deliveries_cpu', title: 'deliveries to home feeds', unit: 'CPU s/1000', target: 0.004 },
    ({ cpu }) => cpu,
  ),
]
