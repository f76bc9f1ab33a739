// No endpoint shows a reader a post that the rules hide from that reader.
import { isFollowedFromAfar, labelsById } from './invariants-agreement.ts'
import { type Facts, mayRead, readFacts } from './facts.ts'
import { NAMES, type Place, PLACE_NAMES, placeOf, type Post, WORDS, type World } from './world.ts'

const LISTS = [
  '/api/v1/timelines/home?limit=40',
  '/api/v1/timelines/public?limit=40',
  '/api/v1/timelines/public?local=true&limit=40',
  '/api/v1/timelines/public?remote=true&limit=40',
  '/api/v1/timelines/tag/rain?limit=40',
  '/api/v1/timelines/tag/snow?limit=40',
  '/api/v1/timelines/tag/hail?limit=40',
  '/api/v1/timelines/direct?limit=40',
  '/api/v1/notifications?limit=80&include_filtered=true',
  '/api/v2/notifications?limit=80&include_filtered=true',
  '/api/v1/notifications/requests?limit=80',
  '/api/v1/conversations?limit=40',
  '/api/v1/favourites?limit=40',
  '/api/v1/bookmarks?limit=40',
  '/api/v1/scheduled_statuses',
  '/api/v2/search?q=said&type=statuses&limit=40',
  '/api/v1/trends/statuses?limit=40',
]
const OF_ACCOUNT = ['statuses?limit=40', 'statuses?pinned=true', 'statuses?only_media=true&limit=40']
const OF_POST = ['', '/context', '/history', '/source', '/quotes']

type Reader = { name: string | null; at: Place }
type Page = { path: string; status: number; text: string }

/** All that the reader is shown. */
async function* readAll(world: World, { name, at }: Reader): AsyncGenerator<Page> {
  const server = world.network[at]
  const token = name === null ? null : world.person(name).token
  const accept = { accept: 'application/activity+json' }
  const get = async (path: string, headers: Record<string, string> = {}): Promise<Page> => {
    const { status, text } = await server.send('GET', path, { token, headers })
    return { path, status, text }
  }
  for (const path of LISTS) yield get(path)
  if (name !== null)
    for (const { id } of (await get('/api/v1/lists').then(({ text }) => JSON.parse(text))) as { id: string }[])
      yield get(`/api/v1/timelines/list/${id}?limit=40`)
  for (const each of NAMES)
    for (const path of OF_ACCOUNT) yield get(`/api/v1/accounts/${world.accountId(at, each)}/${path}`)
  for (const [id, label] of await labelsById(world, at)) {
    const post = world.posts.get(label) as Post
    for (const path of OF_POST) yield get(`/api/v1/statuses/${id}${path}`)
    if (name !== null) yield get(`/api/v2/search?q=${encodeURIComponent(post.uri)}&type=statuses`)
    if (name !== null) continue
    yield get(`/@${post.author}/${id}`)
    yield get(`/@${post.author}/${id}/embed`)
    if (placeOf(post.author) === at)
      for (const path of ['', '/replies?page=true', '/activity']) yield get(new URL(post.uri).pathname + path, accept)
  }
  if (name === null)
    for (const each of NAMES)
      for (const path of [`/users/${each}/outbox?page=true`, `/users/${each}/collections/featured`])
        yield get(path, accept)
  if (name === null) for (const each of NAMES) for (const path of [`/@${each}`, `/@${each}.rss`]) yield get(path)
}

export async function hiddenPostsStayHidden(world: World): Promise<string[]> {
  const facts = await readFacts(world)
  const byNumber = new Map(
    [...world.posts.values()].filter(({ number }) => number >= 0).map((post) => [post.number, post]),
  )
  const readers: Reader[] = [
    ...(await world.readers()).map((name) => ({ name, at: placeOf(name) })),
    ...PLACE_NAMES.map((at) => ({ name: null, at })),
  ]
  const found = await Promise.all(readers.map((reader) => problemsOf(world, facts, byNumber, reader)))
  return found.flat()
}

async function problemsOf(world: World, facts: Facts, posts: Map<number, Post>, reader: Reader): Promise<string[]> {
  const problems: string[] = []
  const name = reader.name ?? `anyone at ${reader.at}`
  for await (const { path, status, text } of readAll(world, reader)) {
    if (status >= 500) problems.push(`${name} GET ${path}: ${status} ${text.slice(0, 200)}`)
    const query = decodeURIComponent(path)
    for (const [word, number] of text.matchAll(WORDS)) {
      const post = posts.get(Number(number))
      if (query.includes(word)) continue
      if (!post) problems.push(`${name} GET ${path}: ${word} of a post that was refused`)
      else if (post.deleted && reader.at !== placeOf(post.author) && !isFollowedFromAfar(world, facts, post)) continue
      else if (!mayRead(world, facts, reader.at, reader.name, post))
        problems.push(
          `${name} GET ${path}: ${word} of ${post.visibility} ${post.label} by ${post.author}${post.deleted ? ', deleted' : ''}`,
        )
    }
  }
  return [...new Set(problems)]
}
