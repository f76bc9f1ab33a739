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
]

async function pagesOf(world: World, name: string | null, place: Place): Promise<string[]> {
  const ids = [...(await labelsById(world, place)).keys()]
  const accounts = NAMES.map((each) => world.accountId(place, each))
  const query = (each: string[]): string => each.map((id) => `id[]=${id}`).join('&')
  const statuses = Array.from(
    { length: Math.ceil(ids.length / 20) },
    (_, i) => `/api/v1/statuses?${query(ids.slice(i * 20, i * 20 + 20))}`,
  )
  const people = [`/api/v1/accounts?${query(accounts)}`, ...TAGS.map((tag) => `/api/v1/timelines/tag/${tag}?limit=40`)]
  if (name === null) return [...people, ...statuses]
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

type Read = { name: string; place: Place; path: string; token: string | null; text: string }

/** For one reader per server, as all would take long, and for anyone. */
async function readAll(world: World): Promise<Read[]> {
  const readers = await world.readers()
  const found: Read[] = []
  for (const place of PLACE_NAMES)
    for (const name of [null, readers.find((each) => placeOf(each) === place) ?? null]) {
      const token = name === null ? null : world.person(name).token
      for (const path of await pagesOf(world, name, place)) {
        const { status, text } = await world.network[place].send('GET', path, { token })
        found.push({ name: name ?? `anyone at ${place}`, place, path, token, text: `${status} ${text}` })
      }
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
  for (const { name, place, path, token, text } of before) {
    const answer = await world.network[place].send('GET', path, { token })
    const now = `${answer.status} ${answer.text}`
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
