// A client that has listened since the beginning shows the same as one that reads the API at the end.
import { eventually } from '../eventually.ts'
import { sql } from '../database.ts'
import { type Facts, mayRead, pair, readFacts } from './facts.ts'
import { labelsById } from './invariants-agreement.ts'
import { placeOf, type Post, WORDS, type World } from './world.ts'

type Frames = { name: string; events: { stream: string; event: string; payload: string }[] }

/** Of the people whose connections are open. */
async function readFrames(world: World): Promise<Frames[]> {
  const open = [...world.streams].filter(([, { socket }]) => socket.readyState === socket.OPEN)
  // Events follow jobs and responses.
  await eventually(async () => {
    const before = open.map(([, { frames }]) => frames.length)
    for (const [, listening] of open) await listening.settled()
    return open.every(([, { frames }], i) => frames.length === (before[i] as number) + 1)
  })
  return open.map(([name, { frames }]) => ({
    name,
    events: frames.flatMap(({ stream, event, payload }) =>
      stream && event ? [{ stream: stream.join(':'), event, payload: payload ?? '' }] : [],
    ),
  }))
}

/** Since before the post, nothing has changed between the two. */
const isSettled = (world: World, facts: Facts, name: string, post: Post): boolean =>
  (world.changes.get(`${name} ${post.author}`) ?? -1) < post.round &&
  (['alpha', 'beta'] as const).every(
    (place) => !facts[place].everSuspended.has(post.author) && !facts[place].everSuspended.has(name),
  )

export async function streamsHideHiddenPosts(world: World): Promise<string[]> {
  const facts = await readFacts(world)
  const byNumber = new Map(
    [...world.posts.values()].filter(({ number }) => number >= 0).map((post) => [post.number, post]),
  )
  const problems = new Set<string>()
  for (const { name, events } of await readFrames(world))
    for (const { stream, event, payload } of events)
      for (const [word, number] of withoutQuotes(payload).matchAll(WORDS)) {
        const post = byNumber.get(Number(number))
        if (!post || !isSettled(world, facts, name, post)) continue
        const { blocks, mutes } = facts[placeOf(name)]
        const hides = event !== 'notification' && [blocks, mutes].some((pairs) => pairs.has(pair(name, post.author)))
        if (hides || !mayRead(world, facts, placeOf(name), name, { ...post, deleted: false }))
          problems.add(
            `${name}: ${event} on ${stream} has ${word} of ${post.visibility} ${post.label} by ${post.author}`,
          )
      }
  return [...problems]
}

/** What the client shows of a post is its newest version, or nothing when it is gone. */
export async function streamsShowTheNewest(world: World): Promise<string[]> {
  const facts = await readFacts(world)
  const problems: string[] = []
  for (const { name, events } of await readFrames(world)) {
    const labels = await labelsById(world, placeOf(name))
    const rows = await world
      .serverOf(name)
      .ctx.db.many<{ id: string; content: string }>(sql`select id, content from statuses`)
    const contents = new Map(rows.map(({ id, content }) => [id, content]))
    for (const stream of ['user', 'public']) {
      const shown = new Map<string, Shown>()
      for (const { event, payload } of events.filter((one) => one.stream === stream)) {
        if (event === 'delete') shown.delete(payload)
        if (event !== 'update' && event !== 'status.update') continue
        const status = JSON.parse(payload) as Shown
        if (event === 'update' || shown.has(status.id)) shown.set(status.id, status)
      }
      for (const [id, status] of shown) {
        const { content } = status
        const post = postOf(world, labels, status)
        const row = contents.get(id)
        if (row === undefined) {
          const original = world.posts.get(post?.boosts ?? '')
          if ([post, original].some((each) => each && !isSettled(world, facts, name, each))) continue
          problems.push(`${name}: ${stream} still shows ${post?.label ?? id}, which is gone: ${content}`)
        } else if (post && isSettled(world, facts, name, post) && wordsOf(row) !== wordsOf(content))
          problems.push(`${name}: ${stream} shows ${content} of ${post.label}, not ${row}`)
      }
    }
  }
  return problems
}

type Shown = { id: string; content: string; account?: { username: string }; reblog?: Shown | null }

/** Posts that are gone are known by their words, and boosts by what they boosted. */
function postOf(world: World, labels: ReadonlyMap<string, string>, status: Shown): Post | undefined {
  const number = [...status.content.matchAll(WORDS)][0]?.[1]
  const post = world.posts.get(labels.get(status.id) ?? `post${number}`)
  if (post || !status.reblog) return post
  const boosted = postOf(world, labels, status.reblog)?.label
  return [...world.posts.values()].find(
    ({ author, boosts }) => author === status.account?.username && boosts !== null && boosts === boosted,
  )
}

/** Own quotes of posts by muted accounts have their texts. */
const withoutQuotes = (payload: string): string =>
  payload.startsWith('{')
    ? JSON.stringify(JSON.parse(payload), (key, value) => (key === 'quote' ? null : value))
    : payload

const wordsOf = (html: string): string => [...html.matchAll(WORDS)].map(([word]) => word).join(' ')

/** Entries of home timelines and notifications were streamed. */
export async function streamsHaveAllEntries(world: World): Promise<string[]> {
  const facts = await readFacts(world)
  const problems: string[] = []
  for (const { name, events } of await readFrames(world)) {
    const person = world.person(name)
    const labels = await labelsById(world, placeOf(name))
    const streamed = (event: string): Set<string> =>
      new Set(
        events
          .filter((one) => one.stream === 'user' && one.event === event)
          .map(({ payload }) => JSON.parse(payload).id),
      )
    const updates = streamed('update')
    const written = await readWritten(world, name)
    for (const { id } of await person.get('/api/v1/timelines/home?limit=40')) {
      const post = world.posts.get(labels.get(id) ?? '')
      if (!post || post.boosts !== null || !written.has(id) || !isSettled(world, facts, name, post)) continue
      if (!updates.has(id)) problems.push(`${name}: ${post.label} by ${post.author} is at home, and was not streamed`)
    }
    const notifications = streamed('notification')
    const isMerged = events.some(({ event }) => event === 'notifications_merged')
    if (isMerged) continue
    for (const { id, type, account, status } of await person.get('/api/v1/notifications?limit=80')) {
      const post = world.posts.get(labels.get(status?.id) ?? '')
      // A follow since has made it visible.
      if (post?.visibility === 'private' && !isSettled(world, facts, name, post)) continue
      if (!notifications.has(id)) problems.push(`${name}: ${type} by ${account.username} was not streamed`)
    }
  }
  return problems
}

/** The last event about a conversation shows it as the list does. */
export async function streamsShowConversations(world: World): Promise<string[]> {
  const problems: string[] = []
  for (const { name, events } of await readFrames(world)) {
    const streamed = new Map<string, Conversation>()
    for (const { event, payload } of events)
      if (event === 'conversation') {
        const conversation = JSON.parse(payload) as Conversation
        streamed.set(conversation.id, conversation)
      }
    for (const { id, last_status, unread } of (await world
      .person(name)
      .get('/api/v1/conversations?limit=40')) as Conversation[]) {
      const last = streamed.get(id)
      if (last?.last_status?.id !== last_status?.id || last?.unread !== unread)
        problems.push(
          `${name}: conversation ${id} was streamed with ${last?.last_status?.id}, unread ${last?.unread}, and has ${last_status?.id}, unread ${unread}`,
        )
    }
  }
  return problems
}

type Conversation = { id: string; last_status: { id: string } | null; unread: boolean }

/**
 * The posts of the feed that came when they were written, as what brings them is older. A follow that the other server accepted
 * late, or a new hashtag, adds earlier posts, which are not streamed.
 */
async function readWritten(world: World, name: string): Promise<Set<string>> {
  const rows = await world.serverOf(name).ctx.db.many<{ id: string }>(sql`
    select s.id from home_feed e join statuses s on s.id = e.status_id
    where e.account_id = ${world.person(name).id} and (s.account_id = e.account_id
      or exists (select from follows f where f.account_id = e.account_id and f.target_account_id = s.account_id and f.created_at < s.created_at)
      or (s.edited_at is null and exists (select from followed_tags ft join status_tags st using (tag_id)
        where st.status_id = s.id and ft.account_id = e.account_id and ft.created_at < s.created_at)))`)
  return new Set(rows.map(({ id }) => id))
}
