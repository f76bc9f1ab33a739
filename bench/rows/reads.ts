import { requestBytes } from '../lib/http.ts'
import { loopRow } from '../lib/loop-row.ts'
import type { Next } from '../lib/loop.ts'
import type { Row } from '../lib/row.ts'
import type { World } from '../lib/world.ts'
import { createRandom } from '../seed/random.ts'

/** All users ask for the same paths in turns. */
const everyUser =
  (...paths: string[]) =>
  ({ users, server }: World): Next => {
    const requests = users.flatMap(({ token }) =>
      paths.map((path) => requestBytes(server.target, { method: 'GET', path, token })),
    )
    let turn = 0
    return () => requests[turn++ % requests.length] as Buffer
  }

/** Users ask in turns for a path that `choose` picks at random. */
const randomPath =
  (choose: (world: World) => readonly string[]) =>
  (world: World): Next => {
    const paths = choose(world)
    const random = createRandom(11)
    let turn = 0
    return () => {
      const user = world.users[turn++ % world.users.length]
      return requestBytes(world.server.target, {
        method: 'GET',
        path: random.pick(paths),
        token: user?.token as string,
      })
    }
  }

const anonymous =
  (path: string) =>
  ({ server }: World): Next => {
    const request = requestBytes(server.target, { method: 'GET', path })
    return () => request
  }

const publicStatuses = ({ statuses }: World): string[] =>
  statuses.filter(({ visibility }) => visibility === 'public').map(({ id }) => `/api/v1/statuses/${id}`)
const accountStatuses = ({ users }: World): string[] =>
  users.map(({ id }) => `/api/v1/accounts/${id}/statuses?limit=20`)
const thread = (world: World): Next => everyUser(`/api/v1/statuses/${world.thread}/context`)(world)
const searches = ['person1', 'person', 'candle', 'harbour', '%23cooking'].map((q) => `/api/v2/search?q=${q}&limit=20`)

export const reads: Row[] = [
  {
    name: 'home20',
    title: 'home timeline, 20 posts',
    target: 0.3,
    requests: everyUser('/api/v1/timelines/home?limit=20'),
  },
  {
    name: 'home40',
    title: 'home timeline, 40 posts',
    target: 0.5,
    requests: everyUser('/api/v1/timelines/home?limit=40'),
  },
  {
    name: 'public20',
    title: 'public timeline, 20 posts',
    target: 0.35,
    requests: everyUser('/api/v1/timelines/public?limit=20'),
  },
  { name: 'status', title: 'one post', target: 0.15, requests: randomPath(publicStatuses) },
  { name: 'context100', title: 'a thread of 100 replies', target: 1, requests: thread },
  { name: 'account_statuses', title: "an account's posts, 20", target: 0.35, requests: randomPath(accountStatuses) },
  {
    name: 'notifications',
    title: 'notifications, 20',
    target: 0.4,
    requests: everyUser('/api/v1/notifications?limit=20'),
  },
  {
    name: 'verify_credentials',
    title: '`verify_credentials`',
    target: 0.03,
    requests: everyUser('/api/v1/accounts/verify_credentials'),
  },
  { name: 'instance_v1', title: '`/api/v1/instance`', target: 0.02, requests: anonymous('/api/v1/instance') },
  { name: 'instance_v2', title: '`/api/v2/instance`', target: 0.02, requests: anonymous('/api/v2/instance') },
  { name: 'nodeinfo', title: 'nodeinfo', target: 0.017, requests: anonymous('/nodeinfo/2.0') },
  { name: 'search', title: 'search', target: 1.5, requests: everyUser(...searches) },
].map(loopRow)
