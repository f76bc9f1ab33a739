import { setTimeout as delay } from 'node:timers/promises'
import type { Bench } from '../lib/bench.ts'
import type { User } from '../lib/community.ts'
import { Connection, requestBytes, type Target } from '../lib/http.ts'
import { quantile } from '../lib/numbers.ts'
import type { Row } from '../lib/row.ts'
import { settle } from '../lib/server.ts'

const POSTS = 30
/** Milliseconds between reads, and until a post must be visible. */
const PAUSE = 2
const LIMIT = 15_000

/** Waits until the `newest` posts of a user's home timeline contain a status. */
export async function untilVisible(
  { target, newest = 5 }: { target: Target; newest?: number },
  { token }: User,
  id: string,
  connection: Connection,
): Promise<void> {
  const request = requestBytes(target, { method: 'GET', path: `/api/v1/timelines/home?limit=${newest}`, token })
  for (const until = performance.now() + LIMIT; performance.now() < until; await delay(PAUSE))
    if ((await connection.send(request)).body.includes(`"id":"${id}"`)) return
  throw new Error(`The post ${id} does not become visible.`)
}

async function measureFanOut(bench: Bench): Promise<number[]> {
  const { server, users } = await bench.world()
  const [author, last] = [users[0] as User, users.at(-1) as User]
  const connection = new Connection(server.target)
  const times: number[] = []
  await settle(server.pid)
  for (let i = 0; i < POSTS; i++) {
    const call = {
      method: 'POST',
      path: '/api/v1/statuses',
      token: author.token,
      body: { status: `For 19 followers ${i}` },
    }
    const begin = performance.now()
    const { body } = await connection.send(requestBytes(server.target, call))
    const { id } = JSON.parse(body.toString()) as { id: string }
    await untilVisible(server, last, id, connection)
    times.push(performance.now() - begin)
    await delay(50)
  }
  connection.close()
  return times
}

export const fanOut: Row = {
  name: 'fan_out',
  title: 'a post is visible to the last of 19 followers, p50',
  unit: 'ms',
  target: 5,
  async measure(bench) {
    const times = await measureFanOut(bench)
    return { value: quantile(times, 0.5), p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
  },
}
