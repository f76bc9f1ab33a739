// A feed that grew with each act has the same entries as a feed that is built from the rows.
import { sql } from '../database.ts'
import { indexStatuses } from '../internals.ts'
import { home, loseFeeds } from '../timelines.ts'
import { describe } from './describe.ts'
import { type Facts, readFacts } from './facts.ts'
import { isFollowedFromAfar, labelsById } from './invariants-agreement.ts'
import { NAMES, PLACE_NAMES, placeOf, type World } from './world.ts'

export async function homeEqualsRebuiltHome(world: World): Promise<string[]> {
  const readers = await world.readers()
  const grown = new Map<string, string[]>()
  for (const name of readers) grown.set(name, await home(world.person(name)))
  for (const place of PLACE_NAMES) await loseFeeds(world.network[place])
  const problems: string[] = []
  for (const name of readers)
    problems.push(...(await differences(world, name, grown.get(name) as string[], await home(world.person(name)))))
  return problems
}

/** The search index that grew with each act equals one that is built from the rows. */
export async function searchIndexEqualsRebuiltIndex(world: World): Promise<string[]> {
  const problems: string[] = []
  for (const place of PLACE_NAMES) {
    const { ctx } = world.network[place]
    const read = async (): Promise<Map<string, string>> => {
      const rows = await ctx.db.many<{ key: string; document: string }>(sql`
        select concat_ws(' ', status_id, keeper_id) as key, document::text from status_search
        where keeper_id is null or keeper_id in (select account_id from users)`)
      const users = await ctx.db.many<{ id: string }>(sql`select account_id as id from users`)
      // Documents may keep readers whose accounts are deleted, and so may bookmarks for an hour.
      const findable = (document: string): string =>
        document.replaceAll(/':for:(\d+)' /g, (all, id) => (users.some((user) => user.id === id) ? all : ''))
      return new Map(rows.map(({ key, document }) => [key, findable(document)]))
    }
    const grown = await read()
    const all = await ctx.db.many<{ id: string }>(sql`select id from statuses where reblog_of_id is null`)
    await indexStatuses(
      ctx,
      all.map(({ id }) => id),
    )
    const rebuilt = await read()
    for (const key of new Set([...grown.keys(), ...rebuilt.keys()]))
      if (grown.get(key) !== rebuilt.get(key) && (rebuilt.has(key) || /':(for|open)/.test(grown.get(key) ?? '')))
        problems.push(
          `${place}: ${await describe(world, place, key.split(' ')[0] as string)}, keeper ${key.split(' ')[1]}: ${grown.get(key)}, rebuilt ${rebuilt.get(key)}`,
        )
  }
  return problems
}

type Entry = {
  id: string
  original_id: string
  author_id: string
  /** The authors of what it boosts or answers, and the accounts that it mentions: they decide whether it is shown. */
  others: string[]
  /** Of the posts of the storm. */
  round: number
  /** It may have had other hashtags before. */
  edited: boolean
}

async function differences(world: World, name: string, grown: string[], rebuilt: string[]): Promise<string[]> {
  const facts = await readFacts(world)
  const entries = await readEntries(world, name, [...grown, ...rebuilt])
  const problems: string[] = []
  for (const [one, other, where] of [
    [grown, rebuilt, 'grown'],
    [rebuilt, grown, 'rebuilt'],
  ] as const)
    for (const id of one.filter((each) => !other.includes(each))) {
      const entry = entries.get(id)
      if (entry && isExplained(world, name, entry, other, entries)) continue
      if (where === 'rebuilt' && (await wasFetched(world, facts, id, name))) continue
      problems.push(`${name}: only the ${where} home has ${await describe(world, name, id)}`)
    }
  return problems
}

/**
 * A feed keeps the entries that belonged in it when they were written. It may differ from a new one in boosts of posts that it has, and
 * in posts whose replies or mentions involve accounts that the reader has followed or unfollowed since.
 */
function isExplained(world: World, name: string, entry: Entry, other: string[], entries: Map<string, Entry>): boolean {
  if (entry.id !== entry.original_id && other.some((id) => entries.get(id)?.original_id === entry.original_id))
    return true
  const names = new Map(NAMES.map((each) => [world.accountId(name, each), each]))
  if (entry.edited || world.moved.has(names.get(entry.author_id) ?? '')) return true
  if (world.optionChanges.has(`${name} ${names.get(entry.author_id)}`)) return true
  return entry.others.some((id) => {
    const changed = world.changes.get(`${name} ${names.get(id)}`)
    return id !== entry.author_id && changed !== undefined && changed >= entry.round
  })
}

/** Posts that were read from the other server, not sent by it, are in no feed. */
async function wasFetched(world: World, facts: Facts, id: string, name: string): Promise<boolean> {
  for (const post of world.posts.values())
    if ((await world.statusId(name, post.label)) === id)
      return placeOf(post.author) !== placeOf(name) && !isFollowedFromAfar(world, facts, post)
  return false
}

async function readEntries(world: World, name: string, ids: string[]): Promise<Map<string, Entry>> {
  const labels = await labelsById(world, placeOf(name))
  const rows = await world.serverOf(name).ctx.db.many<Omit<Entry, 'round'>>(sql`
    select s.id, coalesce(s.reblog_of_id, s.id) as original_id, s.account_id as author_id, s.edited_at is not null as edited,
      array(select m.account_id from mentions m where m.status_id in (s.id, s.reblog_of_id)
        union select o.account_id from statuses o where o.id = s.reblog_of_id
        union select s.in_reply_to_account_id where s.in_reply_to_account_id is not null) as others
    from statuses s where s.id = any(${ids}::bigint[])`)
  return new Map(
    rows.map((row) => {
      const post = world.posts.get(labels.get(row.id) ?? '')
      // The posts and mentions of a deleted account have no rows.
      const involved = post ? [...post.mentioned, post.answers].filter((each) => each !== null) : []
      const others = [...row.others, ...involved.map((each) => world.accountId(name, each))]
      return [row.id, { ...row, others, round: post?.round ?? 0 }]
    }),
  )
}

/**
 * Entries of feeds in the database that pages do not show. Those of a deleted account stay until the next read, and those of one
 * that has moved, as its former followers have its posts without following it.
 */
export async function storedHomesHaveNoDeletedPosts(world: World): Promise<string[]> {
  const facts = await readFacts(world)
  const problems: string[] = []
  for (const name of NAMES.filter((each) => facts[placeOf(each)].erased.size === 0)) {
    const moved = [...world.moved].map((each) => world.accountId(name, each))
    const gone = await world.serverOf(name).ctx.db.many<{ id: string }>(sql`
      select e.status_id as id from home_feed e where e.account_id = ${world.person(name).id} and e.author_id <> all(${moved}::bigint[])
        and not exists (select from statuses s where s.id = e.status_id)`)
    problems.push(...gone.map(({ id }) => `${name}: the stored feed has ${id}, which is gone`))
  }
  return problems
}
