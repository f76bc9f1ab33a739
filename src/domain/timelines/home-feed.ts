import type { Statuses } from '../../db/schema.ts'
import type { Context } from '../../context.ts'
import { count, nothing, sql, type Sql } from '../../db/sql.ts'
import { batchedFor } from '../../lib/batch.ts'
import { compareIds, idAt, LAST_ID } from '../../lib/ids.ts'
import { metersOf } from '../server/meters.ts'
import { audienceColumns, type StatusAudience, type StatusReferences } from '../statuses/audience.ts'
import { FEED_LENGTH } from './home-build.ts'
import { holdOffBuilds } from './home-lock.ts'
import {
  type Candidate,
  accountsExcluding,
  candidateColumns,
  hidesNoneOf,
  isInNoExclusiveList,
  repeats,
  suitsFollow,
} from './home-rules.ts'

/** The posting transaction writes the feeds of up to this many followers. For more, a job does. */
const MAX_INLINE = 2000
/** Followers per statement of the job, and posts per statement of the clean-up. */
const ROWS_PER_STATEMENT = 5000
/** Accounts that exclude a post are read once for all followers, unless there are more. */
const MAX_EXCLUDING = 1000
/** Posts that more accounts exclude have a statement of their own, which looks these up faster. */
const MAX_SHARED_EXCLUDING = 50
const HOUR_MS = 3_600_000

/** Followers by the ids of their accounts; `until` is the first that is not in it. */
export type FollowerRange = { from: string; until: string | null }

type Post = Pick<Statuses, 'id' | 'account_id' | 'reblog_of_id' | 'language' | 'reply' | 'in_reply_to_account_id'> & {
  authors: string[]
  domains: string[]
  limited: string | null
  direct: boolean
  mentioned: string[]
  mentioned_in_original: string[]
  excluding: string[]
}

/** Posts of `ids`. Leaves out statuses that are gone, and those of suspended authors. */
const postsOf = (ids: readonly string[], more: Sql = nothing): Sql => sql`
  select s.id, s.account_id, s.reblog_of_id, s.reply, s.in_reply_to_account_id,
    array_remove(${candidateColumns.authors}, null) as authors, array_remove(${candidateColumns.domains}, null) as domains,
    ${candidateColumns.limited} as limited, ${candidateColumns.language} as language, ${candidateColumns.isDirect} as direct,
    ${candidateColumns.mentioned} as mentioned, ${candidateColumns.mentionedInOriginal} as mentioned_in_original,
    array(select account_id from (${accountsExcluding(candidateColumns)}) e limit ${count(MAX_EXCLUDING + 1)}) as excluding ${more}
  from statuses s join accounts a on a.id = s.account_id
  left join statuses o on o.id = s.reblog_of_id left join accounts oa on oa.id = o.account_id
  where s.id = any(${ids}::bigint[]) and a.suspended_at is null and oa.suspended_at is null`

/** `needsJob`: the feeds of the followers are too many for this transaction. `tagFollowed`: accounts follow one of its hashtags. */
export type FanOut = StatusAudience & { needsJob: boolean; tagFollowed: boolean }

/** `references`: null for remote statuses. `limit`: followers whose feeds this transaction writes at most. */
export type FanOutOptions = { references?: StatusReferences | null; limit?: number }

/**
 * Adds a status to the home feed of its author, and to those of the followers unless they are too many, as far as they have a
 * feed and its rules allow it. Finds its audience, too. May run twice.
 */
export async function insertIntoHomes(
  tx: Context,
  statusId: string,
  { references = null, limit = MAX_INLINE }: FanOutOptions = {},
): Promise<FanOut> {
  const post = await insertTogether(tx, { statusId, references, limit })
  if (!post) return { needsJob: false, tagFollowed: false, remote: false, subscribers: false }
  if (!post.plain) await insertAlone(tx, post)
  const { needs_job: needsJob, tag_followed: tagFollowed, remote, subscribers } = post
  return { needsJob, tagFollowed, remote: references !== null && remote, subscribers }
}

async function insertAlone(tx: Context, post: NewPost): Promise<void> {
  const own = ownFeedOf(post)
  const feeds = post.needs_job ? own : sql`(${feedsOf(post)}) union all ${own}`
  await insert(tx, post, feeds, SKIP_EXISTING)
}

/** For a status that its author alone sees until it is approved. May run twice. */
export async function insertIntoHomeOfAuthor(tx: Context, statusId: string): Promise<void> {
  await tx.db.run(sql`select ${holdOffBuilds}`)
  const post = await tx.db.maybe<Post>(postsOf([statusId]))
  if (post) await insert(tx, post, ownFeedOf(post), SKIP_EXISTING)
}

/** `plain`: it is in all feeds. `written`: entries of all posts of the statement. */
type NewPost = Post & StatusAudience & { needs_job: boolean; tag_followed: boolean; plain: boolean; written: number }

/** The columns of `p`, a row in `insertTogether`. */
const postColumns: Candidate = {
  author: sql`p.account_id`,
  authors: sql`p.authors`,
  domains: sql`p.domains`,
  mentioned: sql`p.mentioned`,
  mentionedInOriginal: sql`p.mentioned_in_original`,
  limited: sql`p.limited`,
  language: sql`p.language`,
  isReblog: sql`false`,
  isDirect: sql`p.direct`,
  isReply: sql`p.reply`,
  replyTo: sql`p.in_reply_to_account_id`,
}

type New = Required<FanOutOptions> & { statusId: string }

/** Inserts posts with few followers. Not boosts: each looks for those before it. */
const insertTogether = batchedFor(async (tx: Context, wanted: New[]): Promise<(NewPost | null)[]> => {
  const ids = wanted.map(({ statusId }) => statusId)
  const limit = Math.min(...wanted.map((each) => each.limit))
  const references = wanted.flatMap((each) => each.references ?? [])
  const details = sql`, ${audienceColumns(references)}, exists (select from follows f where f.target_account_id = s.account_id offset ${limit}) as needs_job,
    exists (
      select from status_tags st where st.status_id = s.id and exists (select from followed_tags ft where ft.tag_id = st.tag_id)) as tag_followed`
  const [, posts] = await Promise.all([
    tx.db.run(sql`select ${holdOffBuilds}`),
    tx.db.many<NewPost>(sql`
      with p as materialized (
        select *, not needs_job and reblog_of_id is null and cardinality(excluding) <= ${MAX_SHARED_EXCLUDING} as plain from (${postsOf(ids, details)}) post
      ), entry as (
        insert into home_feed (account_id, status_id, original_id, author_id)
        select feeds.account_id, p.id, p.id, p.account_id from p cross join lateral (
          (select f.account_id from follows f join home_feeds h on h.account_id = f.account_id
            where f.target_account_id = p.account_id and ${suitsFollow(postColumns)} and f.account_id <> all(p.excluding) order by f.account_id)
          union all select account_id from home_feeds where account_id = p.account_id
        ) feeds where p.plain ${SKIP_EXISTING} returning true
      )
      select *, (select count(*)::int from entry) as written from p`),
  ])
  metersOf(tx)?.feedRows(posts[0]?.written ?? 0)
  const byId = new Map(posts.map((post) => [post.id, post]))
  return ids.map((id) => byId.get(id) ?? null)
})

/** The followers in ranges for `insertIntoRange`. */
export async function* followerRanges(ctx: Context, statusId: string): AsyncGenerator<FollowerRange> {
  for (let from: string | null = '0'; from !== null;) {
    const found: { until: string | null } | null = await ctx.db.maybe(sql`
      select (
        select f.account_id from follows f where f.target_account_id = s.account_id and f.account_id >= ${from}
        order by f.account_id offset ${ROWS_PER_STATEMENT} limit 1) as until
      from statuses s where s.id = ${statusId}`)
    if (!found) return
    yield { from, until: found.until }
    from = found.until
  }
}

/** Throws a unique violation of home_feed_pkey if a feed has the status already, unless `mayExist`, which costs twice as much. */
export async function insertIntoRange(
  tx: Context,
  statusId: string,
  range: FollowerRange,
  { mayExist }: { mayExist: boolean },
): Promise<void> {
  await tx.db.run(sql`select ${holdOffBuilds}`)
  const post = await tx.db.maybe<Post>(postsOf([statusId]))
  if (!post) return
  // Whether a merge or look-ups join home_feeds best depends on how many of the feeds in the range are those of followers.
  await tx.db.run(sql`set local plan_cache_mode = force_custom_plan`)
  await insert(tx, post, feedsOf(post, { range }), mayExist ? SKIP_EXISTING : nothing)
}

const SKIP_EXISTING = sql`on conflict do nothing`

/** `feeds`: a statement for the accounts whose feeds get the post. */
async function insert(tx: Context, post: Post, feeds: Sql, conflict: Sql): Promise<void> {
  const rows = await tx.db.run(sql`
    insert into home_feed (account_id, status_id, original_id, author_id)
    select feeds.account_id, ${post.id}, ${post.reblog_of_id ?? post.id}, ${post.account_id} from (${feeds}) feeds ${conflict}`)
  metersOf(tx)?.feedRows(rows)
}

const ownFeedOf = (post: Post): Sql =>
  sql`select h.account_id from home_feeds h where h.account_id = ${post.account_id} ${unlessRepeated(post)}`

/**
 * Of followers: all, those of `range` or those `among` some accounts. In the order of the accounts, so that neighbours in the
 * index of feeds are written one after the other.
 */
function feedsOf(post: Post, { range, among }: { range?: FollowerRange; among?: readonly string[] } = {}): Sql {
  const author = sql`${post.account_id}::bigint`
  const participants = {
    authors: sql`${post.authors}::bigint[]`,
    domains: sql`${post.domains}::text[]`,
    mentioned: sql`${post.mentioned}::bigint[]`,
    mentionedInOriginal: sql`${post.mentioned_in_original}::bigint[]`,
  }
  const suits = suitsFollow({
    ...participants,
    author,
    limited: sql`${post.limited}::bigint`,
    language: sql`${post.language}::text`,
    isReblog: sql`${post.reblog_of_id !== null}::boolean`,
    isDirect: sql`${post.direct}::boolean`,
    isReply: sql`${post.reply}::boolean`,
    replyTo: sql`${post.in_reply_to_account_id}::bigint`,
  })
  const isExcluded =
    post.excluding.length > MAX_EXCLUDING
      ? sql`not (${hidesNoneOf(participants)} and ${isInNoExclusiveList(author)})`
      : sql`f.account_id in (select unnest(${post.excluding}::bigint[]))`
  const isInRange = (id: Sql): Sql =>
    range ? sql`and ${id} >= ${range.from} and ${id} < ${range.until ?? LAST_ID}` : nothing
  return sql`
    select f.account_id from follows f join home_feeds h on h.account_id = f.account_id
    where f.target_account_id = ${post.account_id} ${isInRange(sql`f.account_id`)} ${isInRange(sql`h.account_id`)}
      ${among ? sql`and f.account_id = any(${among}::bigint[])` : nothing}
      and ${suits} and not (${isExcluded}) ${unlessRepeated(post)}
    order by f.account_id`
}

/** A condition on the feed `h`. */
const unlessRepeated = ({ id, reblog_of_id: original }: Pick<Post, 'id' | 'reblog_of_id'>): Sql =>
  original === null
    ? nothing
    : sql`and not ${repeats({ original: sql`${original}::bigint`, reblog: sql`${id}::bigint`, account: sql`h.account_id` })}`

/** `feeds`: the accounts whose feeds lost a boost of the post `original`. */
export type LostReblog = { original: string; feeds: readonly string[] }

/** Boosts of a post that are read, and those of followed accounts that may replace a lost one. */
const MAX_READ = 100
const MAX_REPLACING = 10

/**
 * Gives feeds that lost a boost the first other boost of the post, which was left out as a repeat and which no other transaction
 * is deleting. Above MAX_INLINE, the other feeds get one when they are built again.
 */
export async function replaceReblogs(tx: Context, lost: readonly LostReblog[]): Promise<void> {
  const losses = lost.flatMap(({ original, feeds }) => feeds.slice(0, MAX_INLINE).map((feed) => ({ original, feed })))
  if (losses.length === 0) return
  const reblogs = await tx.db.many<{ id: string }>(sql`
    with lost as (
      select original, array_agg(feed) as feeds from unnest(
        ${losses.map(({ original }) => original)}::bigint[], ${losses.map(({ feed }) => feed)}::bigint[]
      ) as concerned (original, feed) group by original
    )
    select other.id from lost cross join lateral (
      select b.id from (
        select id, account_id from statuses where reblog_of_id = lost.original and approval is null limit ${count(MAX_READ)}) b
      where b.account_id = any(lost.feeds)
        or exists (select from follows f where f.target_account_id = b.account_id and f.account_id = any(lost.feeds))
      order by b.id limit ${count(MAX_REPLACING)}) other`)
  if (reblogs.length === 0) return
  await tx.db.run(sql`select ${holdOffBuilds}`)
  const posts = await tx.db.many<Post>(sql`${postsOf(reblogs.map(({ id }) => id))} for key share of s skip locked`)
  for (const post of posts.toSorted((a, b) => compareIds(a.id, b.id))) {
    const among = losses.filter(({ original }) => original === post.reblog_of_id).map(({ feed }) => feed)
    const followers = feedsOf(post, { among })
    const feeds = among.includes(post.account_id) ? sql`(${followers}) union all ${ownFeedOf(post)}` : followers
    await insert(tx, post, feeds, SKIP_EXISTING)
  }
}

/** Clean-up: the fan-out then skips the feeds that were not read for 30 days, and the next read builds them again. */
export async function dropUnreadFeeds(ctx: Context): Promise<void> {
  await ctx.db.run(sql`
    with unread as (delete from home_feeds where read_at < now() - interval '30 days' returning account_id)
    delete from home_feed using unread where home_feed.account_id = unread.account_id`)
}

/** The clean-up cuts the feeds of one in this many posts. So a feed is seldom longer than FEED_LENGTH plus this number. */
const TRIM_SHARE = 256n

/**
 * Clean-up, each hour: cuts the feeds that some of the posts of the last hour went to. So trimming costs a constant amount per
 * entry of a feed, however many feeds there are. A read cuts its feed, too.
 */
export async function trimFeeds(ctx: Context): Promise<void> {
  let last: string | undefined = idAt(new Date(Date.now() - HOUR_MS))
  while (last !== undefined) {
    const posts: { id: string; account_id: string }[] = await ctx.db.many(
      sql`select id, account_id from statuses where id > ${last} order by id limit ${count(ROWS_PER_STATEMENT)}`,
    )
    for (const { id, account_id } of posts.filter((post) => BigInt(post.id) % TRIM_SHARE === 0n))
      for await (const range of followerRanges(ctx, id)) await trimFeedsOfFollowers(ctx, account_id, range)
    last = posts.at(-1)?.id
  }
}

async function trimFeedsOfFollowers(ctx: Context, accountId: string, { from, until }: FollowerRange): Promise<void> {
  await ctx.db.run(sql`
    delete from home_feed hf using (
      select f.account_id, (
        select x.status_id from home_feed x where x.account_id = f.account_id
        order by x.status_id desc offset ${FEED_LENGTH} limit 1) as cut
      from follows f where f.target_account_id = ${accountId} and f.account_id >= ${from} and f.account_id < ${until ?? LAST_ID}
    ) cuts
    where hf.account_id = cuts.account_id and hf.status_id <= cuts.cut`)
}

/** The next read of each feed builds it again. */
export async function dropAllFeeds(ctx: Context): Promise<number> {
  return ctx.db.run(sql`
    with gone as (delete from home_feeds returning account_id)
    delete from home_feed using gone where home_feed.account_id = gone.account_id`)
}
