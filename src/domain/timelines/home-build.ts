import type { Context } from '../../context.ts'
import { count, sql, type Sql } from '../../db/sql.ts'
import { compareIds } from '../../lib/ids.ts'
import { passPosts } from './home-lock.ts'
import { belongsInHome, candidateColumns, withoutRepeats } from './home-rules.ts'
import { belongsForTags, tagCandidates } from './home-tags.ts'

/** How many entries a feed keeps. */
export const FEED_LENGTH = 400

/** How many posts are looked at when a feed is built: some of them do not belong in it. */
const LOOKED_AT = 3 * FEED_LENGTH
/** PostgreSQL's code for having waited too long for a lock. */
const LOCK_TIMEOUT = '55P03'
/** How many posts of somebody newly followed appear at once. */
const MERGED = 100

type Entry = { status_id: string; original_id: string; author_id: string; kept?: boolean }

/**
 * Makes sure that the account has a home feed: one that was never built, swept, or lost in a crash is put together from the
 * posts of everybody the account follows. Two at once build it once; the second waits. Without `wait`
 * it does so for a moment only, and is told that the feed is not ready (false).
 */
export async function ensureHome(ctx: Context, accountId: string, { wait = true } = {}): Promise<boolean> {
  for (;;) {
    const feed = await ctx.db.maybe<{ built: boolean }>(
      sql`select built_at is not null as built from home_feeds where account_id = ${accountId}`,
    )
    if (feed?.built) return true
    // A row that is there but not built is being built by somebody else, or was left by a process that died.
    if (!feed)
      await passPosts(ctx, (tx) =>
        tx.db.run(sql`insert into home_feeds (account_id) values (${accountId}) on conflict do nothing`),
      )
    try {
      await ctx.transaction((tx) => build(tx, accountId, wait))
    } catch (error) {
      if ((error as { code?: string }).code === LOCK_TIMEOUT) return false
      throw error
    }
  }
}

/** Builds a feed unless somebody else did so meanwhile. */
async function build(tx: Context, accountId: string, wait: boolean): Promise<void> {
  if (!wait) await tx.db.run(sql`set local lock_timeout = '1s'`)
  const feed = await tx.db.maybe<{ built: boolean }>(
    sql`select built_at is not null as built from home_feeds where account_id = ${accountId} for update`,
  )
  if (feed && !feed.built) await fill(tx, accountId)
}

/**
 * Puts a feed together anew: for the job `fanout.rebuild`, after what brings posts into it was changed. Whoever reads meanwhile
 * sees it as it was. Nothing happens where no feed is kept.
 */
export async function rebuildHome(ctx: Context, accountId: string): Promise<void> {
  await passPosts(ctx)
  await ctx.transaction(async (tx) => {
    const feed = await tx.db.maybe(
      sql`select from home_feeds where account_id = ${accountId} and built_at is not null for update`,
    )
    if (feed) await fill(tx, accountId)
  })
}

async function fill(tx: Context, accountId: string): Promise<void> {
  await tx.db.run(sql`delete from home_feed where account_id = ${accountId}`)
  const follows = sql`
    select f.account_id, f.target_account_id, f.show_reblogs, f.languages from follows f where f.account_id = ${accountId}
    union all select ${accountId}::bigint, ${accountId}::bigint, true, null::text[]`
  const posts = [...(await candidates(tx, follows, LOOKED_AT)), ...(await tagCandidates(tx, accountId, LOOKED_AT))]
  const distinct = [...new Map(posts.map((post) => [post.status_id, post])).values()]
  const inOrder = distinct.toSorted((one, other) => compareIds(one.status_id, other.status_id))
  await insert(tx, accountId, withoutRepeats(inOrder).slice(-FEED_LENGTH))
  await tx.db.run(sql`update home_feeds set built_at = now(), read_at = now() where account_id = ${accountId}`)
}

/**
 * Brings a feed in line with whether the account follows the other: the newest posts of the other are put in, or all taken
 * out. For the job `fanout.merge`, so that it runs after the follow was committed. Nothing happens where no feed is kept.
 */
export async function mergeIntoHome(ctx: Context, accountId: string, targetAccountId: string): Promise<void> {
  await passPosts(ctx)
  await ctx.transaction(async (tx) => {
    const feed = await tx.db.maybe<{ follows: boolean }>(sql`
      select exists (select from follows where account_id = ${accountId} and target_account_id = ${targetAccountId}) as follows
      from home_feeds where account_id = ${accountId} and built_at is not null for update`)
    if (!feed) return
    if (!feed.follows) return void (await takeOut(tx, accountId, targetAccountId))
    const follow = sql`
      select f.account_id, f.target_account_id, f.show_reblogs, f.languages from follows f
      where f.account_id = ${accountId} and f.target_account_id = ${targetAccountId}`
    const kept = await tx.db.many<Entry>(sql`
      select status_id, original_id, author_id, true as kept from home_feed where account_id = ${accountId} order by status_id desc`)
    const known = new Set(kept.map((entry) => entry.status_id))
    const oldest = kept.length < FEED_LENGTH ? '0' : (kept.at(-1) as Entry).status_id
    const posts = (await candidates(tx, follow, MERGED)).filter(
      ({ status_id }) => !known.has(status_id) && compareIds(status_id, oldest) > 0,
    )
    const merged = withoutRepeats(
      [...kept, ...posts].toSorted((one, other) => compareIds(one.status_id, other.status_id)),
    )
    await insert(
      tx,
      accountId,
      merged.filter((entry) => !entry.kept),
    )
  })
}

/**
 * Takes the posts and boosts of somebody out of a feed, within the transaction that ends the follow. A post that is being
 * written there at this moment is taken out by the job that follows.
 */
export async function removeFromHome(tx: Context, accountId: string, targetAccountId: string): Promise<void> {
  const feed = await tx.db.maybe(sql`select from home_feeds where account_id = ${accountId}`)
  if (!feed) return
  await takeOut(tx, accountId, targetAccountId)
  await tx.enqueue('fanout.merge', { accountId, targetAccountId })
}

/** What a followed hashtag brings as well stays. */
const takeOut = (tx: Context, accountId: string, authorId: string): Promise<number> =>
  tx.db.run(sql`
    delete from home_feed f where f.account_id = ${accountId} and f.author_id = ${authorId} and not exists (
      select from statuses s join accounts a on a.id = s.account_id where s.id = f.status_id and ${belongsForTags})`)

/**
 * The newest posts that belong in a feed, of `follows` (account_id, target_account_id, show_reblogs, languages), from the
 * oldest to the newest. Looks at the newest `limit` of all of them together. Reading that many of each would be slow for
 * those who follow hundreds, so a first look at few of each finds how far back it is worth to go.
 */
async function candidates(tx: Context, follows: Sql, limit: number): Promise<Entry[]> {
  const posts = await tx.db.many<Entry>(sql`
    with f as materialized (${follows}),
    cutoff as (
      select first_look.id from f cross join lateral (
        select s.id from statuses s where s.account_id = f.target_account_id
        order by s.id desc limit (select greatest(40, ${2 * limit}::int / greatest(count(*), 1)) from f)
      ) first_look order by first_look.id desc offset ${limit - 1} limit 1
    ), newest as (
      select f.account_id as owner_id, f.show_reblogs, f.languages, s.id from f cross join lateral (
        select s.id from statuses s where s.account_id = f.target_account_id and s.id >= coalesce((select id from cutoff), 0)
        order by s.id desc limit ${count(limit)}
      ) s order by s.id desc limit ${count(limit)}
    )
    select s.id as status_id, coalesce(s.reblog_of_id, s.id) as original_id, s.account_id as author_id
    from (select owner_id as account_id, show_reblogs, languages, id as status_id from newest) f
    join statuses s on s.id = f.status_id
    join accounts a on a.id = s.account_id and a.suspended_at is null
    left join statuses o on o.id = s.reblog_of_id
    left join accounts oa on oa.id = o.account_id
    where oa.suspended_at is null and (s.account_id = f.account_id or (${belongsInHome(candidateColumns)}))
    order by s.id`)
  return posts
}

async function insert(tx: Context, accountId: string, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  await tx.db.run(sql`
    insert into home_feed (account_id, status_id, original_id, author_id)
    select ${accountId}, * from unnest(
      ${entries.map((entry) => entry.status_id)}::bigint[], ${entries.map((entry) => entry.original_id)}::bigint[], ${entries.map((entry) => entry.author_id)}::bigint[])
    on conflict do nothing`)
}
