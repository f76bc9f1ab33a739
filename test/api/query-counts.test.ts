import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remoteAccount } from '../support/remote.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { statementsOf } from '../support/statements.ts'
import { remoteAuthor } from '../support/timelines.ts'

// A list of six rows takes as many statements as a list of two. MORE_KINDS allows for a second look at a page that is not
// full and for kinds of rows that only the longer list has; a statement for each row exceeds it.

const SIZES = { few: 2, many: 6 }
const MORE_KINDS = 2

type World = { me: Person; status: string; list: string; filter: string; tag: string; crowd: string[] }

const worlds = {} as Record<keyof typeof SIZES, World>

/** Runs `work` for each item, four at a time. */
async function each<T>(items: readonly T[], work: (item: T, i: number) => Promise<unknown>): Promise<void> {
  let at = 0
  const worker = async (): Promise<void> => {
    while (at < items.length) {
      const i = at++
      await work(items[i] as T, i)
    }
  }
  await Promise.all([worker(), worker(), worker(), worker()])
}

/** Creates an account with `n` rows in each of its lists. */
async function build(name: string, n: number): Promise<World> {
  const me = await server.person(name)
  const people = crowd.slice(0, n)
  const tag = `about${name}`
  await each(people, (person) => me.post(`/api/v1/accounts/${person.id}/follow`))
  await each(people, (person) => person.post(`/api/v1/accounts/${me.id}/follow`))
  const status = (await me.post('/api/v1/statuses', { status: `the one #${tag}` })).id as string
  await each(people, async (person, i) => {
    await me.post('/api/v1/statuses', { status: `number ${i} #${tag} #topic${i} #${name}${i} @${person.username}` })
    const theirs = (
      await person.post('/api/v1/statuses', { status: `answer ${i} @${name} #${tag}`, in_reply_to_id: status })
    ).id
    await person.post('/api/v1/statuses', { status: `@${name} hello`, visibility: 'direct' })
    await person.post('/api/v1/statuses', { status: `as they said ${i}`, quoted_status_id: status })
    await person.post(`/api/v1/statuses/${status}/favourite`)
    await person.post(`/api/v1/statuses/${status}/reblog`)
    await me.post(`/api/v1/statuses/${theirs}/favourite`)
    await me.post(`/api/v1/statuses/${theirs}/bookmark`)
    await me.post(`/api/v1/accounts/${person.id}/endorse`)
    await me.post(`/api/v1/tags/topic${i}/follow`)
    await me.post('/api/v1/featured_tags', { name: `topic${i}` })
    await me.post('/api/v1/statuses', {
      status: 'later',
      scheduled_at: new Date(Date.now() + (2 + i) * 86_400_000).toISOString(),
    })
    await me.post('/api/v1/domain_blocks', { domain: `d${i}.${name}.test` })
    await me.post(`/api/v1/accounts/${await remoteAccount(server, `blocked${i}${name}`)}/block`)
    await me.post(`/api/v1/accounts/${await remoteAccount(server, `muted${i}${name}`)}/mute`)
    const asking = await remoteAccount(server, `asking${i}${name}`)
    await server.database.raw('insert into follow_requests (account_id, target_account_id) values ($1, $2)', [
      asking,
      me.id,
    ])
  })
  await me.send('PATCH', '/api/v2/notifications/policy', { json: { for_not_following: 'filter' } })
  for (let i = 0; i < n; i++) {
    await me.put(`/api/v1/statuses/${status}`, { status: `the one #${tag}, version ${i}` })
    const sender = await remoteAuthor(server, `sender${i}`, `${name}.test`)
    await sender.post('<p>hello</p>', { mentionIds: [me.id] })
  }
  const list = (await me.post('/api/v1/lists', { title: 'friends' })).id as string
  await me.post(`/api/v1/lists/${list}/accounts`, { account_ids: people.map(({ id }) => id) })
  await each(people.slice(1), async (_, i) => {
    const { id } = await me.post('/api/v1/lists', { title: `list ${i}` })
    await me.post(`/api/v1/lists/${id}/accounts`, { account_ids: [people[0]?.id] })
  })
  const keywords = people.map((_, i) => ({ keyword: `word${i}`, whole_word: true }))
  const filter = (await me.post('/api/v2/filters', { title: 'main', context: ['home'], keywords_attributes: keywords }))
    .id as string
  await each(people.slice(1), (_, i) =>
    me.post('/api/v2/filters', {
      title: `filter ${i}`,
      context: ['home'],
      keywords_attributes: [{ keyword: `number ${i}` }],
    }),
  )
  return { me, status, list, filter, tag, crowd: people.map(({ id }) => id) }
}

const { server } = await stage({ env: { VALIDATE_RESPONSES: 'false' } })
const crowd: Person[] = []
for (let i = 0; i < SIZES.many; i++) crowd.push(await server.person(`friend${i}`))
// Friends of a friend, for the suggestions.
for (let i = 0; i < SIZES.many; i++) {
  const { id } = await server.person(`discoverable${i}`)
  await server.database.raw('update accounts set discoverable = true where id = $1', [id])
  await crowd[0]?.post(`/api/v1/accounts/${id}/follow`)
}
for (const [name, n] of Object.entries(SIZES) as [keyof typeof SIZES, number][]) worlds[name] = await build(name, n)
await server.drain()

const ids = (all: string[]): string =>
  all
    .slice(0, 40)
    .map((id) => `id[]=${id}`)
    .join('&')

/** The path of every list of the API in a world. */
const LISTS: ((world: World) => string)[] = [
  ({ crowd: all }) => `/api/v1/accounts?${ids(all)}`,
  ({ crowd: all }) => `/api/v1/accounts/relationships?${ids(all)}`,
  ({ crowd: all }) => `/api/v1/accounts/familiar_followers?${ids(all)}`,
  ({ crowd: all }) => `/api/v1/accounts/search?q=friend&limit=${all.length}`,
  ...['statuses', 'followers', 'following', 'endorsements', 'featured_tags'].map(
    (list) =>
      ({ me }: World) =>
        `/api/v1/accounts/${me.id}/${list}?limit=40`,
  ),
  ({ crowd: all }) => `/api/v1/accounts/${all[0]}/lists`,
  ...[
    'blocks',
    'mutes',
    'bookmarks',
    'favourites',
    'conversations',
    'domain_blocks',
    'endorsements',
    'featured_tags',
    'followed_tags',
    'follow_requests',
  ].map((list) => () => `/api/v1/${list}?limit=40`),
  () => '/api/v1/featured_tags/suggestions',
  () => '/api/v1/filters',
  () => '/api/v2/filters',
  ({ filter }) => `/api/v2/filters/${filter}/keywords`,
  () => '/api/v1/lists',
  ({ list }) => `/api/v1/lists/${list}/accounts?limit=40`,
  () => '/api/v1/notifications?limit=40',
  () => '/api/v2/notifications?limit=40',
  () => '/api/v1/notifications/requests?limit=40',
  () => '/api/v1/scheduled_statuses?limit=40',
  ...['context', 'favourited_by', 'reblogged_by', 'quotes', 'history'].map(
    (list) =>
      ({ status }: World) =>
        `/api/v1/statuses/${status}/${list}?limit=40`,
  ),
  ...['home', 'direct'].map((timeline) => () => `/api/v1/timelines/${timeline}?limit=40`),
  ({ crowd: all }) => `/api/v1/timelines/public?limit=${all.length}`,
  ({ tag }) => `/api/v1/timelines/tag/${tag}?limit=40`,
  ({ list }) => `/api/v1/timelines/list/${list}?limit=40`,
  ({ tag }) => `/api/v2/search?q=${tag}&limit=40`,
  ...['v1/directory', 'v1/suggestions', 'v2/suggestions'].map(
    (list) =>
      ({ crowd: all }: World) =>
        `/api/${list}?limit=${all.length}`,
  ),
]

async function statementsFor(world: World, path: string, enough = 0): Promise<{ statements: number; rows: number }> {
  let rows = 0
  const act = async (): Promise<void> => {
    const body = await world.me.get(path)
    rows = Array.isArray(body) ? body.length : Object.values(body).flat().length
  }
  return { statements: await statementsOf(server, act, enough), rows }
}

/** For the names of tests. */
const SOME_WORLD = { me: { id: ':id' }, status: ':id', list: ':id', filter: ':id', tag: ':tag', crowd: [':id'] }

for (const pathIn of LISTS)
  test(`${pathIn(SOME_WORLD as World)} takes as many statements for many rows as for few`, async () => {
    const few = await statementsFor(worlds.few, pathIn(worlds.few))
    const allowed = few.statements + MORE_KINDS
    const many = await statementsFor(worlds.many, pathIn(worlds.many), allowed)
    assert.ok(many.rows > few.rows, `${few.rows} rows, and ${many.rows} where there should be more`)
    assert.ok(
      many.statements <= allowed,
      `${pathIn(worlds.many)}: ${few.statements} statements for ${few.rows} rows, ${many.statements} for ${many.rows}`,
    )
  })
