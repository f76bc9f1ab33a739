// A server that has lost its memory, as after a restart, answers as before.
import { clearServerState, getSecrets } from '../internals.ts'
import { labelsById } from './invariants-agreement.ts'
import { TAGS } from './acts-posts.ts'
import { NAMES, type Place, PLACE_NAMES, placeOf, type World } from './world.ts'

const PAGES = [
  '/api/v1/accounts/verify_credentials',
  '/api/v1/timelines/home?limit=40',
  '/api/v1/timelines/public?limit=40',
  '/api/v1/notifications?limit=80&include_filtered=true',
  '/api/v2/notifications?limit=80',
  '/api/v2/notifications/policy',
  '/api/v1/notifications/requests?limit=80',
  '/api/v1/conversations?limit=40',
  '/api/v1/favourites?limit=40',
  '/api/v1/blocks',
  '/api/v1/mutes',
  '/api/v1/follow_requests',
  '/api/v1/followed_tags',
  '/api/v1/featured_tags',
  '/api/v1/lists',
  '/api/v2/filters',
  '/api/v1/domain_blocks',
  '/api/v1/announcements',
  '/api/v1/directory?limit=80',
  '/api/v2/search?q=said&type=statuses&limit=40',
  '/api/v1/bookmarks?limit=40',
  '/api/v1/endorsements',
  '/api/v1/announcements?with_dismissed=true',
  '/api/v1/timelines/direct?limit=40',
  '/api/v1/notifications/unread_count',
  '/api/v2/suggestions',
]
const OF_ACCOUNT = [
  '',
  '/statuses?limit=40',
  '/statuses?pinned=true',
  '/followers',
  '/following',
  '/featured_tags',
  '/collections',
]
const OF_POST = ['/context', '/favourited_by', '/reblogged_by', '/quotes', '/history']
const OF_STAFF = ['/api/v2/admin/accounts?limit=100', '/api/v1/admin/reports', '/api/v1/admin/domain_blocks']
const OPEN = [
  '/api/v1/instance',
  '/api/v2/instance',
  '/nodeinfo/2.0',
  '/api/v1/instance/peers',
  '/api/v1/directory?limit=80',
]
const DOCUMENTS = ['', '/outbox?page=true', '/collections/featured', '/followers', '/following']

async function pagesOf(world: World, name: string | null, place: Place): Promise<string[]> {
  const ids = [...(await labelsById(world, place)).keys()]
  const accounts = NAMES.map((each) => world.accountId(place, each))
  const query = (each: string[]): string => each.map((id) => `id[]=${id}`).join('&')
  const statuses = Array.from(
    { length: Math.ceil(ids.length / 20) },
    (_, i) => `/api/v1/statuses?${query(ids.slice(i * 20, i * 20 + 20))}`,
  )
  const people = [`/api/v1/accounts?${query(accounts)}`, ...TAGS.map((tag) => `/api/v1/timelines/tag/${tag}?limit=40`)]
  const each = [
    ...accounts.flatMap((id) => OF_ACCOUNT.map((list) => `/api/v1/accounts/${id}${list}`)),
    ...ids.flatMap((id) => OF_POST.map((list) => `/api/v1/statuses/${id}${list}`)),
  ]
  if (name === null) return [...people, ...statuses, ...each, ...OPEN]
  const lists: { id: string }[] = await world.person(name).get('/api/v1/lists')
  return [
    ...PAGES,
    `/api/v1/accounts/relationships?${query(accounts)}`,
    ...lists.map(({ id }) => `/api/v1/timelines/list/${id}?limit=40`),
    ...TAGS.map((tag) => `/api/v1/tags/${tag}`),
    ...people,
    ...statuses,
  ]
}

type Read = {
  name: string
  place: Place
  path: string
  token: string | null
  headers: Record<string, string>
  text: string
}

/**
 * Without the times when accounts were last used, which change with each request, and the figures about a server, which are
 * cached for half a minute: another server may have asked for them before the last acts.
 */
const stable = (text: string): string =>
  text
    .replaceAll(/"used_at":"[^"]*"/g, '')
    .replaceAll(/"(?:(?:user|status|domain)_count|active_?[mM]onth|activeHalfyear|total|localPosts)":\d+/g, '')

async function read(world: World, found: Read[], request: Omit<Read, 'text'>): Promise<void> {
  const { place, path, token, headers } = request
  const { status, text } = await world.network[place].send('GET', path, { token, headers })
  found.push({ ...request, text: `${status} ${stable(text)}` })
}

/** For one reader per server, as all would take long, and for anyone. */
async function readAll(world: World): Promise<Read[]> {
  const readers = await world.readers()
  const found: Read[] = []
  for (const place of PLACE_NAMES)
    for (const name of [null, readers.find((each) => placeOf(each) === place) ?? null]) {
      const token = name === null ? null : world.person(name).token
      for (const path of await pagesOf(world, name, place)) {
        const { status, text } = await world.network[place].send('GET', path, { token })
        found.push({
          name: name ?? `anyone at ${place}`,
          place,
          path,
          token,
          headers: {},
          text: `${status} ${stable(text)}`,
        })
      }
    }
  for (const place of PLACE_NAMES) {
    const { token } = world.staff[place]
    for (const path of OF_STAFF)
      await read(world, found, { name: `staff of ${place}`, place, path, token, headers: {} })
    const headers = { accept: 'application/activity+json' }
    for (const name of NAMES.filter((one) => placeOf(one) === place))
      for (const document of DOCUMENTS)
        await read(world, found, { name: 'a server', place, path: `/users/${name}${document}`, token: null, headers })
  }
  return found
}

export async function answersEqualThoseAfterRestart(world: World): Promise<string[]> {
  const before = await readAll(world)
  for (const place of PLACE_NAMES) {
    const { ctx } = world.network[place]
    clearServerState(ctx)
    await getSecrets(ctx)
  }
  const problems: string[] = []
  for (const { name, place, path, token, headers, text } of before) {
    const answer = await world.network[place].send('GET', path, { token, headers })
    const now = `${answer.status} ${stable(answer.text)}`
    if (now !== text) problems.push(`${name} GET ${path}: ${differing(text, now)}`)
  }
  return problems
}

/** The places where two texts begin to differ. */
function differing(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const around = (text: string): string => text.slice(Math.max(0, at - 120), at + 120)
  return `${around(one)} ≠ ${around(other)}`
}
