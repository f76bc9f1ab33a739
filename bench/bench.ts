// npm run bench [-- --seconds 4 --rounds 3 --connections 16]: compares the server with a bare node:http server that returns
// the same bytes. Both run in turns, as only ratios and CPU per response are meaningful on a busy machine.
import { parseArgs } from 'node:util'
import { cpuSeconds, residentMemory } from './lib/cpu.ts'
import { loop, once, requestBytes, type LoopResult, type Target } from './lib/loop.ts'
import { startBare, startWorld, type World } from './lib/world.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16' },
    posts: { type: 'string', default: '400' },
  },
})
const [seconds, rounds, connections, posts] = [values.seconds, values.rounds, values.connections, values.posts].map(
  Number,
) as [number, number, number, number]
const FOLLOWERS = 20

type Measured = LoopResult & { cpu: number }

async function measure(target: Target, pid: number, next: () => Buffer): Promise<Measured> {
  const before = cpuSeconds(pid)
  const result = await loop(target, next, { connections, seconds })
  return { ...result, cpu: (cpuSeconds(pid) - before) / (result.answers / 1000) }
}

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
const round = (n: number, digits = 3): string => n.toFixed(digits)

async function compare(world: World, name: string, path: string, tokens: (string | undefined)[]): Promise<void> {
  const requests = tokens.map((token) =>
    requestBytes(world.target, { method: 'GET', path, ...(token ? { token } : {}) }),
  )
  let turn = 0
  const next = (): Buffer => requests[turn++ % requests.length] as Buffer
  const bare = await startBare(await once(world.target, next()))
  await loop(world.target, next, { connections, seconds: Math.min(2, seconds) })
  const rookery: Measured[] = []
  const theirs: Measured[] = []
  for (let i = 0; i < rounds; i++) {
    rookery.push(await measure(world.target, world.pid, next))
    theirs.push(await measure(bare.target, bare.pid, next))
  }
  await bare.stop()
  const rate = (runs: Measured[]): number => median(runs.map(({ answers, seconds: s }) => answers / s))
  const errors = rookery.reduce((sum, run) => sum + run.errors, 0)
  const cpu = median(rookery.map((run) => run.cpu))
  console.log(
    [
      name.padEnd(20),
      round(rate(rookery) / rate(theirs)).padStart(8),
      round(cpu / median(theirs.map((run) => run.cpu)), 1).padStart(8),
      round(cpu).padStart(11),
      String(Math.round(rate(rookery))).padStart(8),
      round(median(rookery.map(({ p99 }) => p99)), 1).padStart(8),
      String(errors).padStart(7),
    ].join(' '),
  )
}

async function seed(world: World): Promise<string> {
  const [author, ...followers] = world.people
  for (const a of followers)
    await world.send({ method: 'POST', path: `/api/v1/accounts/${author!.id}/follow`, token: a.token, body: '{}' })
  for (const a of followers) await world.send({ method: 'GET', path: '/api/v1/timelines/home', token: a.token })
  let last = ''
  for (let i = 0; i < posts; i++) {
    const body = JSON.stringify({
      status: `Post number ${i} about #benches and https://example.org/articles/${i}, of a length that people write.`,
    })
    last = (await world.send({ method: 'POST', path: '/api/v1/statuses', token: author!.token, body })).id
    const liker = followers[i % followers.length]!
    await world.send({ method: 'POST', path: `/api/v1/statuses/${last}/favourite`, token: liker.token, body: '{}' })
    if (i % 100 === 99) console.error(`seeded ${i + 1} of ${posts} posts`)
  }
  return last
}

const world = await startWorld(FOLLOWERS + 1)
try {
  console.log(`started in ${Math.round(world.startedIn)} ms; ${Math.round(world.memory)} MB at rest, database apart`)
  const status = await seed(world)
  const readers = world.people.slice(1).map(({ token }) => token)
  console.log(`${connections} connections, ${rounds} rounds of ${seconds} s in turns; database included in CPU`)
  console.log('read                 rate/bare cpu/bare cpu s/1000    req/s  p99 ms  errors')
  await compare(world, 'home timeline (20)', '/api/v1/timelines/home', readers)
  await compare(world, 'public timeline (20)', '/api/v1/timelines/public', readers)
  await compare(world, "one's posts (20)", `/api/v1/accounts/${world.people[0]!.id}/statuses`, readers)
  await compare(world, 'notifications (20)', '/api/v1/notifications', [world.people[0]!.token])
  await compare(world, 'single status', `/api/v1/statuses/${status}`, readers)
  await compare(world, 'verify_credentials', '/api/v1/accounts/verify_credentials', readers)
  await compare(world, 'instance', '/api/v2/instance', [undefined])
  console.log(`${Math.round(residentMemory(world.pid))} MB after all these`)
  const author = world.people[0]!
  let n = 0
  const post = (): Buffer =>
    requestBytes(world.target, {
      method: 'POST',
      path: '/api/v1/statuses',
      token: author.token,
      body: JSON.stringify({ status: `Posting ${n++} for ${FOLLOWERS} followers` }),
    })
  const written = await measure(world.target, world.pid, post)
  console.log(
    `posting to ${FOLLOWERS} followers: ${Math.round(written.answers / written.seconds)} posts/s, p99 ${round(written.p99, 1)} ms, ${round(written.cpu)} CPU s per 1000, ${written.errors} errors`,
  )
} finally {
  await world.stop()
}
