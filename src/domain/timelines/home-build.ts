import { metersOf } from '../server/meters.ts'
import type { HomeFeed } from '../../db/schema.ts'
import type { Context } from '../../context.ts'
import { isLockTimeout } from '../../db/connection-loss.ts'
import { count, sql, type Sql } from '../../db/sql.ts'
import { compareIds } from '../../lib/ids.ts'
import { hasBlocked } from '../relationships/hidden.ts'
import { hasRunningDeletions } from '../statuses/delete.ts'
import { holdOffBuilds, waitForPublishing } from './home-lock.ts'
import { belongsInHome, candidateColumns, withoutRepeats } from './home-rules.ts'
import { belongsForTags, tagCandidates } from './home-tags.ts'

export const FEED_LENGTH = 400

/** A build reads more statuses than a feed holds, as some of them do not belong in it. */
const MAX_CANDIDATES = 3 * FEED_LENGTH
/** Where these are too few, as an account may write thousands of replies to others. */
const MAX_FURTHER = 24 * FEED_LENGTH
const MAX_MERGED = 100

type Entry = Omit<HomeFeed, 'account_id'> & { existing?: boolean }

/**
 * Builds a feed from the statuses of followed accounts where it never existed, was cleaned up or was lost in a crash.
 * Concurrent calls build it once; the others wait, or without `wait` return false after a second.
 */
export async function ensureHome(ctx: Context, accountId: string, { wait = true } = {}): Promise<boolean> {
  for (;;) {
    const feed = await ctx.db.maybe<{ built: boolean }>(
      sql`select built_at is not null as built from home_feeds where account_id = ${accountId}`,
    )
    if (feed?.built) return true
    // A row without built_at: another process builds the feed, or died while it did.
    if (!feed)
      await waitForPublishing(ctx, (tx) =>
        tx.db.run(sql`insert into home_feeds (account_id) values (${accountId}) on conflict do nothing`),
      )
    try {
      await ctx.transaction((tx) => buildIfMissing(tx, accountId, wait))
    } catch (error) {
      if (!wait && isLockTimeout(error as Error)) return false
      throw error
    }
    await removeDeleted(ctx, accountId)
  }
}

async function buildIfMissing(tx: Context, accountId: string, wait: boolean): Promise<void> {
  if (!wait) await tx.db.run(sql`set local lock_timeout = '1s'`)
  const feed = await lockFeed(tx, accountId)
  if (!feed || feed.built) return
  const begun = performance.now()
  await fillFeed(tx, accountId)
  metersOf(tx)?.feedBuilt((performance.now() - begun) / 1000)
}

/**
 * Waits for a build under way, which may have read the rules before they changed: its row matches no condition on `built_at` yet.
 */
const lockFeed = (tx: Context, accountId: string): Promise<{ built: boolean } | null> =>
  tx.db.maybe<{ built: boolean }>(
    sql`select built_at is not null as built from home_feeds where account_id = ${accountId} for update`,
  )

/** Call it after a change of the rules for this feed. Concurrent readers see the former feed until the commit. */
export async function rebuildHome(ctx: Context, accountId: string): Promise<void> {
  await waitForPublishing(ctx)
  await ctx.transaction(async (tx) => {
    const feed = await lockFeed(tx, accountId)
    if (feed?.built) await fillFeed(tx, accountId)
  })
  await removeDeleted(ctx, accountId)
}

async function fillFeed(tx: Context, accountId: string): Promise<void> {
  await tx.db.run(sql`delete from home_feed where account_id = ${accountId}`)
  const follows = sql`
    select f.account_id, f.target_account_id, f.show_reblogs, f.languages from follows f where f.account_id = ${accountId}
    union all select ${accountId}::bigint, ${accountId}::bigint, true, null::text[]`
  let found = await candidates(tx, follows, MAX_CANDIDATES)
  // Where none belongs in the feed, it is not known whether there are more.
  const hasMore = (found[0]?.read ?? MAX_CANDIDATES) >= MAX_CANDIDATES
  if (found.length < FEED_LENGTH && hasMore) found = await candidates(tx, follows, MAX_FURTHER)
  const posts: Entry[] = [...found, ...(await tagCandidates(tx, accountId, MAX_CANDIDATES))]
  const distinct = [...new Map(posts.map((post) => [post.status_id, post])).values()]
  const inOrder = distinct.toSorted((one, other) => compareIds(one.status_id, other.status_id))
  await insert(tx, accountId, withoutRepeats(inOrder).slice(-FEED_LENGTH))
  await tx.db.run(sql`update home_feeds set built_at = now(), read_at = now() where account_id = ${accountId}`)
}

/**
 * Adds the newest statuses of the target, or removes all, depending on whether the account follows it. Call it after the commit
 * of the follow.
 */
export async function mergeIntoHome(ctx: Context, accountId: string, targetAccountId: string): Promise<void> {
  await waitForPublishing(ctx)
  await ctx.transaction(async (tx) => {
    if (!(await lockFeed(tx, accountId))?.built) return
    const { follows } = await tx.db.one<{ follows: boolean }>(sql`
      select exists (select from follows where account_id = ${accountId} and target_account_id = ${targetAccountId}) as follows`)
    if (!follows) return void (await removeTarget(tx, accountId, targetAccountId))
    const follow = sql`
      select f.account_id, f.target_account_id, f.show_reblogs, f.languages from follows f
      where f.account_id = ${accountId} and f.target_account_id = ${targetAccountId}`
    const existing = await tx.db.many<Entry>(sql`
      select status_id, original_id, author_id, true as existing from home_feed where account_id = ${accountId} order by status_id desc`)
    const known = new Set(existing.map((entry) => entry.status_id))
    const oldest = existing.length < FEED_LENGTH ? '0' : (existing.at(-1) as Entry).status_id
    const posts = (await candidates(tx, follow, MAX_MERGED)).filter(
      ({ status_id }) => !known.has(status_id) && compareIds(status_id, oldest) > 0,
    )
    const merged = withoutRepeats(
      [...existing, ...posts].toSorted((one, other) => compareIds(one.status_id, other.status_id)),
    )
    await insert(
      tx,
      accountId,
      merged.filter((entry) => !entry.existing),
    )
  })
  await removeDeleted(ctx, accountId)
}

/** A condition on an entry `e`. */
export const hasNoStatus: Sql = sql`not exists (select from statuses s where s.id = e.status_id)`

/**
 * Call it after the commit of new entries: a deletion that looked at the feed before did not see them. Waits for those that are
 * not committed yet by the locks of their statuses. Where none runs, no status is locked, as each such lock is written to disk.
 */
async function removeDeleted(ctx: Context, accountId: string): Promise<void> {
  if (await hasRunningDeletions(ctx))
    await ctx.transaction((tx) =>
      tx.db.run(sql`
        select from statuses where id in (select status_id from home_feed where account_id = ${accountId}) order by id for key share`),
    )
  await ctx.db.run(sql`delete from home_feed e where e.account_id = ${accountId} and ${hasNoStatus}`)
}

/**
 * Returns whether there is a feed. Until the commit, none is begun: it would be built from what this transaction ends. One that
 * was begun before has a row, so that `mergeIntoHome`, after the commit, waits for it.
 */
export async function deleteFromHome(tx: Context, accountId: string, targetAccountId: string): Promise<boolean> {
  await tx.db.run(sql`select ${holdOffBuilds}`)
  const feed = await tx.db.maybe(sql`select from home_feeds where account_id = ${accountId}`)
  if (!feed) return false
  await removeTarget(tx, accountId, targetAccountId)
  return true
}

/**
 * Removes the target's statuses, apart from those that a followed hashtag also brings; and statuses of others that mention a
 * blocked target.
 */
const removeTarget = (tx: Context, accountId: string, targetId: string): Promise<number> =>
  tx.db.run(sql`
    delete from home_feed f where f.account_id = ${accountId} and (
      (f.author_id = ${targetId} and not exists (
        select from statuses s join accounts a on a.id = s.account_id where s.id = f.status_id and ${belongsForTags}))
      or (f.author_id <> ${accountId} and ${hasBlocked(accountId, targetId)} and exists (
        select from mentions m where m.status_id = f.original_id and m.account_id = ${targetId})))`)

/**
 * The statuses that belong in a feed among the newest `limit` of all `follows` (account_id, target_account_id, show_reblogs,
 * languages), oldest first. Reading `limit` statuses of each of hundreds of accounts would be slow, so a first read of a few of
 * each finds the oldest id worth reading. `read`: how many statuses it has read.
 */
async function candidates(tx: Context, follows: Sql, limit: number): Promise<(Entry & { read: number })[]> {
  return tx.db.many(sql`
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
    select s.id as status_id, coalesce(s.reblog_of_id, s.id) as original_id, s.account_id as author_id,
      (select count(*)::int from newest) as read
    from (select owner_id as account_id, show_reblogs, languages, id as status_id from newest) f
    join statuses s on s.id = f.status_id
    join accounts a on a.id = s.account_id and a.suspended_at is null
    left join statuses o on o.id = s.reblog_of_id
    left join accounts oa on oa.id = o.account_id
    where oa.suspended_at is null and (s.account_id = f.account_id or (${belongsInHome(candidateColumns)}))
    order by s.id`)
}

async function insert(tx: Context, accountId: string, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  await tx.db.run(sql`
    insert into home_feed (account_id, status_id, original_id, author_id)
    select ${accountId}, * from unnest(
      ${entries.map((entry) => entry.status_id)}::bigint[], ${entries.map((entry) => entry.original_id)}::bigint[], ${entries.map((entry) => entry.author_id)}::bigint[])
    on conflict do nothing`)
}
