// npm run bench -- soak: memory of the server during mixed load at a fixed rate.
import { setTimeout as delay } from 'node:timers/promises'
import { countIn, readArguments } from '../lib/arguments.ts'
import { residentMemory } from '../lib/cpu.ts'
import { requestBytes } from '../lib/http.ts'
import { quantile } from '../lib/numbers.ts'
import { pacedRequests } from '../lib/paced.ts'
import { memoryAfterLoad } from '../lib/server.ts'
import { openWorld, type World } from '../lib/world.ts'

const HELP = `Prints the resident memory of the server, without PostgreSQL, every minute of a load that mixes reads, searches, posts,
favourites and boosts, and ten seconds after its end.

Usage: npm run bench -- soak [--minutes N] [--data FOLDER]

  --minutes N     how long (10)
  --data FOLDER   a folder that an earlier run filled`

const MINUTE = 60_000
const READS = [
  '/api/v1/timelines/home',
  '/api/v1/timelines/public',
  '/api/v1/notifications',
  '/api/v1/accounts/verify_credentials',
  '/api/v2/search?q=harbour',
  '/api/v2/instance',
]

/** About a tenth of the requests write. */
function mixedRequests(world: World): Buffer[] {
  const { server, users, statuses, thread } = world
  const paths = [...READS, `/api/v1/statuses/${thread}/context`]
  return users.flatMap(({ token, id }, i) => {
    const reads = [...paths, `/api/v1/accounts/${id}/statuses`].map((path) => ({ method: 'GET', path, token }))
    const target = statuses.filter(({ visibility }) => visibility === 'public')[i * 7]?.id
    const body = { status: `Mixed load by user ${i} #bench` }
    const write = [
      { method: 'POST', path: '/api/v1/statuses', token, body },
      { method: 'POST', path: `/api/v1/statuses/${target}/${i % 2 ? 'favourite' : 'reblog'}`, token },
      { method: 'POST', path: `/api/v1/statuses/${target}/${i % 2 ? 'unfavourite' : 'unreblog'}`, token },
    ][i % 3] as { method: string; path: string; token: string }
    return [...reads, write].map((call) => requestBytes(server.target, call))
  })
}

export async function runSoak(args: string[]): Promise<void> {
  const { values } = readArguments(HELP, {
    args,
    options: {
      minutes: { type: 'string', default: '10' },
      data: { type: 'string' },
    },
  })
  const minutes = countIn(values, 'minutes')
  const options = { statuses: 2000, data: values.data ?? null, progress: (text: string) => console.error(text) }
  const world = await openWorld(options)
  const requests = mixedRequests(world)
  console.log(`at rest: ${Math.round(residentMemory(world.server.pid))} MB`)
  for (let minute = 1; minute <= minutes; minute++) {
    const times = await pacedRequests(world.server.target, requests, () => delay(MINUTE))
    const memory = Math.round(residentMemory(world.server.pid))
    console.log(`minute ${minute}: ${memory} MB, ${times.length} requests, p99 ${quantile(times, 0.99).toFixed(1)} ms`)
  }
  console.log(`ten seconds after the load: ${Math.round(await memoryAfterLoad(world.server.pid))} MB`)
  await world.stop()
}
