import { requestBytes, type Call, type Target } from '../lib/http.ts'
import type { Next } from '../lib/loop.ts'
import type { User } from '../lib/community.ts'
import { createRandom, type Random } from '../seed/random.ts'
import type { Content } from './build.ts'

/** A server with much content. */
export type Filled = { target: Target; users: readonly User[]; content: Content }

export type Workload = {
  name: string
  writes: boolean
  /** The largest ratio of the CPU at the largest size to that at the smallest. */
  limit: number
  call(content: Content, random: Random, n: number): Omit<Call, 'token'>
}

const READS = 1.25
const WRITES = 1.5

const read = (name: string, path: (content: Content, random: Random) => string): Workload => ({
  name,
  writes: false,
  limit: READS,
  call: (content, random) => ({ method: 'GET', path: path(content, random) }),
})

const write = (name: string, call: Workload['call']): Workload => ({ name, writes: true, limit: WRITES, call })

export const WORKLOADS: Workload[] = [
  read('home', () => '/api/v1/timelines/home?limit=20'),
  read('public', () => '/api/v1/timelines/public?limit=20'),
  read('public_local', () => '/api/v1/timelines/public?limit=20&local=true'),
  read('public_media', () => '/api/v1/timelines/public?limit=20&only_media=true'),
  read('tag', ({ tags }, random) => `/api/v1/timelines/tag/${random.pick(tags)}?limit=20`),
  read('status', ({ statuses }, random) => `/api/v1/statuses/${random.pick(statuses)}`),
  read('context', ({ thread }) => `/api/v1/statuses/${thread}/context`),
  read('favourited_by', ({ statuses }, random) => `/api/v1/statuses/${random.pick(statuses)}/favourited_by`),
  read('account', ({ accounts }, random) => `/api/v1/accounts/${random.pick(accounts)}`),
  read('account_statuses', ({ accounts }, random) => `/api/v1/accounts/${random.pick(accounts)}/statuses?limit=20`),
  // At the smallest size, accounts have six such posts.
  read(
    'account_media',
    ({ accounts }, random) => `/api/v1/accounts/${random.pick(accounts)}/statuses?limit=5&only_media=true`,
  ),
  read(
    'account_posts',
    ({ accounts }, random) => `/api/v1/accounts/${random.pick(accounts)}/statuses?limit=20&exclude_replies=true`,
  ),
  read('followers', ({ accounts }, random) => `/api/v1/accounts/${random.pick(accounts)}/followers?limit=40`),
  read(
    'relationships',
    ({ accounts }) =>
      `/api/v1/accounts/relationships?${accounts
        .slice(0, 20)
        .map((id) => `id[]=${id}`)
        .join('&')}`,
  ),
  read('notifications', () => '/api/v1/notifications?limit=20'),
  read('mentions', () => '/api/v1/notifications?limit=20&types[]=mention'),
  read('grouped', () => '/api/v2/notifications?limit=20'),
  read('unread', () => '/api/v1/notifications/unread_count'),
  read('favourites', () => '/api/v1/favourites?limit=20'),
  read('verify', () => '/api/v1/accounts/verify_credentials'),
  read(
    'search',
    (_, random) => `/api/v2/search?q=${random.pick(['candle', 'harbour', 'author1', '%23cooking'])}&limit=20`,
  ),
  write('post', (_content, _random, n) => ({
    method: 'POST',
    path: '/api/v1/statuses',
    body: { status: `Post number ${n} of the benchmark, as long as short posts are #cooking1` },
  })),
  write('reply', ({ statuses }, random, n) => ({
    method: 'POST',
    path: '/api/v1/statuses',
    body: { status: `Reply number ${n} of the benchmark`, in_reply_to_id: random.pick(statuses) },
  })),
  write('favourite', ({ statuses }, random) => ({
    method: 'POST',
    path: `/api/v1/statuses/${random.pick(statuses)}/favourite`,
  })),
  write('bookmark', ({ statuses }, random) => ({
    method: 'POST',
    path: `/api/v1/statuses/${random.pick(statuses)}/bookmark`,
  })),
  write('reblog', ({ statuses }, random) => ({
    method: 'POST',
    path: `/api/v1/statuses/${random.pick(statuses)}/reblog`,
  })),
]

/** Users take turns. */
export function requestsOf(workload: Workload, { target, users, content }: Filled): Next {
  const random = createRandom(7)
  let n = 0
  return () => {
    const token = users[n % users.length]?.token as string
    return requestBytes(target, { ...workload.call(content, random, n++), token })
  }
}
