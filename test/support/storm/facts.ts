// The relationships in the rows of both servers at the end of a storm, and the posts that people may read because of them.
import { sql } from '../database.ts'
import type { Sql } from '../internals.ts'
import { type Place, PLACE_NAMES, placeOf, PLACES, NAMES, type Post, type World } from './world.ts'

/** Pairs of names, as `ada>bob`. */
export type Pairs = Set<string>
export type Facts = Record<
  Place,
  {
    follows: Pairs
    requests: Pairs
    blocks: Pairs
    mutes: Pairs
    blocksDomain: Set<string>
    suspended: Set<string>
    /** Also those whose suspension has ended: it left gaps. */
    everSuspended: Set<string>
    /** Their posts went out as sensitive for a time. */
    everSensitive: Set<string>
    silenced: Set<string>
    /** Their accounts are deleted. */
    erased: Set<string>
  }
>

export const pair = (from: string, to: string): string => `${from}>${to}`

export async function readFacts(world: World): Promise<Facts> {
  const entries = await Promise.all(PLACE_NAMES.map(async (place) => [place, await factsOf(world, place)] as const))
  return Object.fromEntries(entries) as Facts
}

async function factsOf(world: World, place: Place): Promise<Facts[Place]> {
  const { db } = world.network[place].ctx
  const names = new Map(NAMES.map((name) => [world.accountId(place, name), name]))
  const nameOf = (id: string): string => names.get(id) ?? id
  const pairs = async (rows: Sql): Promise<Pairs> =>
    new Set((await db.many<{ a: string; b: string }>(rows)).map(({ a, b }) => pair(nameOf(a), nameOf(b))))
  const one = async (rows: Sql): Promise<Set<string>> =>
    new Set((await db.many<{ a: string }>(rows)).map(({ a }) => nameOf(a)))
  const suspended = await one(sql`select id as a from accounts where suspended_at is not null`)
  const known = await one(sql`select id as a from accounts`)
  const gone = NAMES.filter((name) => !known.has(name))
  return {
    follows: await pairs(sql`select account_id as a, target_account_id as b from follows`),
    requests: await pairs(sql`select account_id as a, target_account_id as b from follow_requests`),
    blocks: await pairs(sql`select account_id as a, target_account_id as b from blocks`),
    mutes: await pairs(
      sql`select account_id as a, target_account_id as b from mutes where expires_at is null or expires_at > now()`,
    ),
    blocksDomain: await one(sql`select account_id as a from account_domain_blocks`),
    suspended: new Set([...suspended, ...gone]),
    everSuspended: new Set([
      ...suspended,
      ...gone,
      ...(await one(sql`select target_id as a from audit_log where action = 'suspend'`)),
    ]),
    everSensitive: await one(sql`select target_id as a from audit_log where action = 'sensitive'`),
    erased: new Set([...gone, ...(await one(sql`select id as a from accounts where purged_at is not null`))]),
    silenced: await one(sql`select id as a from accounts where silenced_at is not null`),
  }
}

/** Whether the rules let `reader` (null: anyone without a token) on the server of `at` read the post. */
export function mayRead(world: World, facts: Facts, at: Place, reader: string | null, post: Post): boolean {
  if (post.deleted) return false
  const { follows, blocks, blocksDomain, suspended } = facts[at]
  const home = facts[placeOf(post.author)]
  if (suspended.has(post.author) || (home.suspended.has(post.author) && learnsOfSuspension(world, at, post.author)))
    return false
  if (reader === post.author) return true
  if (reader !== null) {
    if (blocks.has(pair(post.author, reader))) return false
    if (blocksDomain.has(post.author) && placeOf(reader) !== placeOf(post.author) && at === placeOf(post.author))
      return false
  }
  if (post.visibility === 'public' || post.visibility === 'unlisted') return true
  if (reader === null) return false
  return post.mentioned.has(reader) || (post.visibility === 'private' && follows.has(pair(reader, post.author)))
}

/** A server learns of it through followers, mentions and the like, of which a block of its domain leaves none. */
const learnsOfSuspension = ({ wasCut, everApart }: World, at: Place, name: string): boolean =>
  at === placeOf(name) || (!wasCut && PLACES[at].some((other) => !everApart.has(`${name} ${other}`)))
