// Both servers show the same of a post or account and of its copy, wherever federation promises that.
import { sql } from '../database.ts'
import type { Sql } from '../internals.ts'
import { type Facts, pair, readFacts } from './facts.ts'
import { NAMES, otherPlace, type Place, PLACE_NAMES, placeOf, type Post, WORDS, type World } from './world.ts'

/** Between these two, servers promise nothing: one has once blocked the other, or a server has suspended one. */
export function areApart(world: World, { alpha, beta }: Facts, one: string, other: string): boolean {
  return (
    world.everApart.has(`${one} ${other}`) ||
    [alpha, beta].some(({ everSuspended }) => everSuspended.has(one) || everSuspended.has(other))
  )
}

const isFederated = (one: string, other: string): boolean => placeOf(one) !== placeOf(other)

export async function serversAgreeOnPeople(world: World): Promise<string[]> {
  const facts = await readFacts(world)
  const problems: string[] = []
  for (const one of NAMES)
    for (const other of NAMES.filter((name) => isFederated(one, name)))
      for (const kind of ['follows', 'requests', 'blocks'] as const) {
        // A server that has suspended the other one refuses its blocks, too.
        if (kind === 'blocks' ? world.wasCut : areApart(world, facts, one, other)) continue
        if ([one, other].some((name) => facts.alpha.everSuspended.has(name) || facts.beta.everSuspended.has(name)))
          continue
        const [alpha, beta] = PLACE_NAMES.map((place) => facts[place][kind].has(pair(one, other)))
        if (alpha !== beta) problems.push(`${one} ${kind} ${other}: ${alpha} on alpha, ${beta} on beta`)
      }
  return problems
}

/** Whether the other server has received all activities about the post: one of its people has followed the author all the time. */
export function isFollowedFromAfar(world: World, facts: Facts, post: Post): boolean {
  const hears = (name: string): boolean =>
    post.visibility === 'direct'
      ? post.mentioned.has(name)
      : facts[placeOf(post.author)].follows.has(pair(name, post.author))
  return NAMES.some(
    (name) =>
      isFederated(name, post.author) &&
      hears(name) &&
      !areApart(world, facts, name, post.author) &&
      (world.changes.get(`${name} ${post.author}`) ?? -1) < post.round,
  )
}

export async function copiesEqualPosts(world: World): Promise<string[]> {
  const facts = await readFacts(world)
  const labels = { alpha: await labelsById(world, 'alpha'), beta: await labelsById(world, 'beta') }
  const problems: string[] = []
  for (const post of world.posts.values()) {
    const [home, away] = [placeOf(post.author), otherPlace(placeOf(post.author))]
    if (facts[home].everSuspended.has(post.author) || facts[away].everSuspended.has(post.author)) continue
    const [original, copy] = await Promise.all([
      statusOf(world, home, post, labels[home]),
      statusOf(world, away, post, labels[away]),
    ])
    if (post.deleted && original) problems.push(`${post.label} was deleted and is still there`)
    if (!original) {
      if (copy && isFollowedFromAfar(world, facts, post))
        problems.push(`${post.label} is gone at home, and a copy of ${post.visibility} is left: ${copy['text']}`)
      continue
    }
    if (!copy || !isFollowedFromAfar(world, facts, post)) continue
    const quoted = world.posts.get(String(original['quotes']))
    // A copy that arrives after the quoted post was deleted cannot be verified.
    if (original['quotes'] === null) copy['quote_state'] = original['quote_state']
    // A copy that arrives after the revocation finds no authorization, and a quote of oneself needs none.
    const unauthorized = quoted?.author === post.author ? ['accepted'] : ['pending', 'rejected']
    if (original['quote_state'] === 'revoked' && unauthorized.includes(String(copy['quote_state'])))
      copy['quote_state'] = 'revoked'
    // A domain block keeps the other server from reading the authorization.
    if (quoted && NAMES.every((name) => placeOf(name) !== away || areApart(world, facts, quoted.author, name)))
      copy['quote_state'] = original['quote_state']
    for (const key of ['answers', 'quotes'])
      if (await isUnknown(world, facts, away, post, original[key])) original[key] = copy[key] = null
    if (PLACE_NAMES.some((place) => facts[place].everSensitive.has(post.author)))
      copy['sensitive'] = original['sensitive']
    // A server does not store mentions of an account that it has suspended.
    for (const each of [original, copy])
      each['mentions'] = (each['mentions'] as string[]).filter((name) =>
        PLACE_NAMES.every((place) => !facts[place].everSuspended.has(name)),
      )
    // A server makes the public boosts of accounts that it has limited unlisted.
    if (original['boosts']) copy['visibility'] = original['visibility']
    for (const [key, value] of Object.entries(original))
      if (JSON.stringify(copy[key]) !== JSON.stringify(value))
        problems.push(
          `${post.label} of ${post.author}, ${post.visibility}: ${key} is ${JSON.stringify(value)} at home, ${JSON.stringify(copy[key])} in the copy`,
        )
  }
  return problems
}

/** Whether a server has no copy of what a post answers or quotes, or keeps the two apart. */
async function isUnknown(world: World, facts: Facts, place: Place, post: Post, label: unknown): Promise<boolean> {
  const target = world.posts.get(String(label))
  if (!target) return false
  if (target.deleted) return true
  return areApart(world, facts, post.author, target.author) || (await world.statusId(place, target.label)) === null
}

async function statusOf(
  world: World,
  place: Place,
  post: Post,
  labels: Map<string, string>,
): Promise<Record<string, unknown> | null> {
  const [id] = [...labels].find(([, label]) => label === post.label) ?? []
  if (id === undefined) return null
  const row = await world.network[place].ctx.db.maybe<Record<string, any>>(sql`
    select s.content as text, s.spoiler_text, s.sensitive, s.visibility, s.language, s.edited_at is not null as edited,
      p.options, p.tallies, p.voters_count, p.multiple, s.reblog_of_id as boosts, s.in_reply_to_id as answers,
      q.quoted_status_id as quotes, q.state as quote_state,
      array(select a.username from mentions m join accounts a on a.id = m.account_id where m.status_id = s.id order by 1) as mentions,
      array(select t.name from status_tags st join tags t on t.id = st.tag_id where st.status_id = s.id order by 1) as tags,
      array(select coalesce(d.description, '') from media_attachments d where d.id = any(s.media_ids) order by 1) as media,
      (s.visibility in ('public', 'unlisted') and exists (select from status_pins sp where sp.status_id = s.id)) as pinned
    from statuses s left join polls p on p.id = s.poll_id left join quotes q on q.status_id = s.id
    where s.id = ${id}`)
  if (!row) return null
  for (const key of ['boosts', 'answers', 'quotes']) row[key] = row[key] && (labels.get(row[key]) ?? row[key])
  return { ...row, text: [...String(row['text']).matchAll(WORDS)].map(([word]) => word).join(' ') }
}

/** Interactions with copies are known at the home of the post, and the other way round. */
export async function serversAgreeOnInteractions(world: World): Promise<string[]> {
  const facts = await readFacts(world)
  const problems: string[] = []
  for (const [kind, rows] of Object.entries(INTERACTIONS)) {
    const [alpha, beta] = (await Promise.all(PLACE_NAMES.map((place) => readPairs(world, place, rows)))) as [
      Set<string>,
      Set<string>,
    ]
    for (const each of alpha.symmetricDifference(beta)) {
      const [name, label] = each.split(' ') as [string, string]
      const post = world.posts.get(label) as Post
      if (!isFederated(name, post.author) || areApart(world, facts, name, post.author)) continue
      problems.push(
        `${kind} by ${name} of ${post.visibility} ${label} by ${post.author} is known on ${alpha.has(each) ? 'alpha' : 'beta'} only`,
      )
    }
  }
  return problems
}

const INTERACTIONS: Record<string, Sql> = {
  favourite: sql`select account_id, status_id from favourites`,
  boost: sql`select account_id, reblog_of_id as status_id from statuses where reblog_of_id is not null`,
  quote: sql`select account_id, quoted_status_id as status_id from quotes where state = 'accepted' and quoted_status_id is not null`,
  reply: sql`select account_id, in_reply_to_id as status_id from statuses where in_reply_to_id is not null and visibility in ('public', 'unlisted')`,
  vote: sql`select v.account_id, p.status_id from poll_votes v join polls p on p.id = v.poll_id`,
}

/** As "ada post1". */
async function readPairs(world: World, place: Place, rows: Sql): Promise<Set<string>> {
  const found = await world.network[place].ctx.db.many<{ account_id: string; status_id: string }>(rows)
  const names = new Map(NAMES.map((name) => [world.accountId(place, name), name]))
  const labels = await labelsById(world, place)
  return new Set(
    found.flatMap(({ account_id, status_id }) =>
      labels.has(status_id) ? [`${names.get(account_id)} ${labels.get(status_id)}`] : [],
    ),
  )
}

/** Labels of posts by the ids that they have on this server. */
export async function labelsById(world: World, place: Place): Promise<Map<string, string>> {
  const rows = await world.network[place].ctx.db.many<{ id: string; uri: string }>(
    sql`select id, uri from statuses where uri is not null`,
  )
  const ids = new Map(rows.map(({ id, uri }) => [uri, id]))
  const labels = new Map<string, string>()
  for (const post of world.posts.values()) {
    const id = placeOf(post.author) === place ? post.id : ids.get(post.uri)
    if (id !== undefined) labels.set(id, post.label)
  }
  return labels
}
