// Pages of any size, in both directions, have together what one large page has.
import { links } from '../timelines.ts'
import type { World } from './world.ts'

/** Their cursors are the ids of what they list. */
const BY_ID = [
  '/api/v1/timelines/home',
  '/api/v1/timelines/public',
  '/api/v1/timelines/public?local=true',
  '/api/v1/timelines/tag/rain',
  '/api/v1/notifications',
]
/** Their cursors are in the links only. */
const BY_LINK = [
  '/api/v1/favourites',
  '/api/v1/bookmarks',
  '/api/v1/blocks',
  '/api/v1/mutes',
  '/api/v1/follow_requests',
  '/api/v1/conversations',
]

type Read = { ids: string[]; next: string | undefined; prev: string | undefined }

export async function pagesAreComplete(world: World): Promise<string[]> {
  const problems: string[] = []
  const readers = await world.readers()
  for (const [i, name] of readers.entries()) {
    const person = world.person(name)
    const lists: any[] = await person.get('/api/v1/lists')
    const byId = [
      ...BY_ID,
      ...lists.map(({ id }) => `/api/v1/timelines/list/${id}`),
      `/api/v1/accounts/${world.accountId(name, readers[(i + 3) % readers.length] as string)}/statuses`,
    ]
    const byLink = [...BY_LINK, `/api/v1/accounts/${person.id}/followers`, `/api/v1/accounts/${person.id}/following`]
    const limit = (i % 4) + 2
    // Half of the readers for each list, and the other half for the next one.
    for (const path of [...byId, ...byLink].filter((_, n) => (n + i) % 2 === 0)) {
      const wrong = (what: string, found: string[], all: string[]): void =>
        void problems.push(`${name} GET ${path} by ${limit}, ${what}: ${found.join(' ')} instead of ${all.join(' ')}`)
      const all = await read(world, name, withQuery(path, 'limit=40'))
      const down = await walk(world, name, withQuery(path, `limit=${limit}`), 'next')
      if (!startsAlike(down, all.ids)) wrong('downwards', down, all.ids)
      if (!byId.includes(path) || all.ids.length === 0 || all.ids.length === 40) continue
      const oldest = all.ids.at(-1) as string
      const up: string[] = []
      for (let min = oldest; ;) {
        const { ids } = await read(world, name, withQuery(path, `limit=${limit}&min_id=${min}`))
        if (ids.length === 0) break
        up.unshift(...ids)
        min = ids[0] as string
      }
      if (up.join() !== all.ids.slice(0, -1).join()) wrong('upwards', up, all.ids.slice(0, -1))
      const middle = all.ids[Math.floor(all.ids.length / 2)] as string
      const newer = await read(world, name, withQuery(path, `limit=40&since_id=${middle}`))
      const expected = all.ids.slice(0, all.ids.indexOf(middle))
      if (newer.ids.join() !== expected.join()) wrong(`since ${middle}`, newer.ids, expected)
    }
  }
  return problems
}

const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`

/** Large pages end at 40. */
const startsAlike = (found: string[], all: string[]): boolean =>
  all.length < 40 ? found.join() === all.join() : found.slice(0, 40).join() === all.join()

async function walk(world: World, name: string, path: string, direction: 'next' | 'prev'): Promise<string[]> {
  const found: string[] = []
  for (let at: string | undefined = path; at !== undefined && found.length < 60;) {
    const page: Read = await read(world, name, at)
    found.push(...page.ids)
    at = page[direction]
  }
  return found
}

async function read(world: World, name: string, path: string): Promise<Read> {
  const url = path.startsWith('http') ? new URL(path) : null
  const { status, json, headers, text } = await world.person(name).send('GET', url ? url.pathname + url.search : path)
  if (status !== 200) throw new Error(`${name} GET ${path}: ${status} ${text}`)
  const { next, prev } = links(headers)
  return { ids: json.map(({ id }: { id: string }) => id), next, prev }
}
