import type { Statuses } from '../../db/schema.ts'
import type { Context } from '../../context.ts'
import { count, nothing, sql } from '../../db/sql.ts'
import { metersOf } from '../server/meters.ts'
import { FEED_LENGTH } from './home-build.ts'
import { holdOffBuilds } from './home-lock.ts'
import { REPEAT_WINDOW, belongsInFeed, isInNoExclusiveList } from './home-rules.ts'

/** Feeds that one statement writes; a job continues with the others. */
const CHUNK = 5000

type Post = Pick<Statuses, 'account_id' | 'reblog_of_id' | 'language' | 'reply' | 'in_reply_to_account_id'> & {
  domain: string | null
  original_author: string | null
  original_domain: string | null
  limited: string | null
  direct: boolean
  mentioned: string[]
  mentioned_in_original: string[]
  in_exclusive_list: boolean
  tag_followed: boolean
}

/**
 * Adds a status to the home feeds of its author and of the first `limit` followers with a feed, as far as the rules of home
 * feeds allow it. `after`: the id of the last follow already handled. `next`: the id to continue after, or null. May run twice.
 * Ignores statuses of suspended accounts.
 */
export async function insertIntoHomes(
  tx: Context,
  statusId: string,
  { after = null, limit = CHUNK }: { after?: string | null; limit?: number } = {},
): Promise<{ next: string | null; tagFollowed: boolean }> {
  const post = await tx.db.maybe<Post & { held: unknown }>(sql`
    select ${holdOffBuilds}::text as held, s.account_id, a.domain, s.reblog_of_id, o.account_id as original_author, oa.domain as original_domain,
      case when oa.silenced_at is not null then oa.id end as limited,
      coalesce(o.language, s.language) as language, s.visibility = 'direct' as direct, s.reply, s.in_reply_to_account_id,
      array(select account_id from mentions where status_id = s.id) as mentioned,
      array(select account_id from mentions where status_id = s.reblog_of_id) as mentioned_in_original,
      exists (select from list_accounts la where la.account_id = s.account_id and la.exclusive) as in_exclusive_list,
      exists (
        select from status_tags st where st.status_id = s.id and exists (select from followed_tags ft where ft.tag_id = st.tag_id)) as tag_followed
    from statuses s join accounts a on a.id = s.account_id
    left join statuses o on o.id = s.reblog_of_id left join accounts oa on oa.id = o.account_id
    where s.id = ${statusId} and a.suspended_at is null and oa.suspended_at is null`)
  if (!post) return { next: null, tagFollowed: false }
  const { last, seen } = await tx.db.one<{ last: string | null; seen: number }>(insertion(statusId, post, after, limit))
  metersOf(tx)?.feedRows(seen)
  return { next: seen === limit ? last : null, tagFollowed: post.tag_followed }
}

function insertion(statusId: string, post: Post, after: string | null, limit: number): ReturnType<typeof sql> {
  const original = post.reblog_of_id ?? statusId
  const present = <T>(values: (T | null)[]): T[] => values.filter((value) => value !== null)
  const author = sql`${post.account_id}::bigint`
  const rules = belongsInFeed({
    author,
    authors: sql`${present([post.account_id, post.original_author])}::bigint[]`,
    domains: sql`${present([post.domain, post.original_domain])}::text[]`,
    mentioned: sql`${post.mentioned}::bigint[]`,
    mentionedInOriginal: sql`${post.mentioned_in_original}::bigint[]`,
    limited: sql`${post.limited}::bigint`,
    language: sql`${post.language}::text`,
    isBoost: sql`${post.reblog_of_id !== null}::boolean`,
    isDirect: sql`${post.direct}::boolean`,
    isReply: sql`${post.reply}::boolean`,
    replyTo: sql`${post.in_reply_to_account_id}::bigint`,
  })
  // The index answers first whether the feed has the status at all; only then its position matters.
  const isNew = sql`not exists (
    select from home_feed x where x.account_id = f.account_id and x.original_id = ${original}
      and (select count(*) from (select from home_feed y where y.account_id = x.account_id and y.status_id > x.status_id limit ${count(REPEAT_WINDOW)}) newer) < ${REPEAT_WINDOW})`
  const unlessInExclusiveList = post.in_exclusive_list ? sql`and ${isInNoExclusiveList(author)}` : nothing
  const own = sql`union all select account_id from home_feeds where account_id = ${post.account_id}`
  return sql`
    with batch as materialized (
      select f.id, f.account_id, f.show_reblogs, f.languages
      from follows f join home_feeds h on h.account_id = f.account_id
      where f.target_account_id = ${post.account_id} and f.id > ${after ?? '0'} order by f.id limit ${count(limit)}
    ), added as (
      insert into home_feed (account_id, status_id, original_id, author_id)
      select feeds.account_id, ${statusId}, ${original}, ${post.account_id} from (
        select f.account_id from batch f where ${rules} ${unlessInExclusiveList} ${post.reblog_of_id === null ? nothing : sql`and ${isNew}`}
        ${after === null ? own : nothing}
      ) feeds
      on conflict do nothing
    )
    select max(id) as last, count(*)::int as seen from batch`
}

/** Clean-up: the fan-out then skips the feeds that were not read for 30 days, and the next read builds them again. */
export async function dropUnreadFeeds(ctx: Context): Promise<void> {
  await ctx.db.run(sql`
    with unread as (delete from home_feeds where read_at < now() - interval '30 days' returning account_id)
    delete from home_feed using unread where home_feed.account_id = unread.account_id`)
}

/** Clean-up: cuts feeds that have twice their length, as otherwise only a read cuts them. */
export async function trimFeeds(ctx: Context): Promise<void> {
  await ctx.db.run(sql`
    delete from home_feed hf using (
      select long.account_id, (
        select status_id from home_feed x where x.account_id = long.account_id order by status_id desc offset ${FEED_LENGTH} limit 1) as cut
      from (select account_id from home_feed group by account_id having count(*) > ${2 * FEED_LENGTH}) long
    ) cuts
    where hf.account_id = cuts.account_id and hf.status_id <= cuts.cut`)
}

/** Readers find their feed built anew. */
export async function dropAllFeeds(ctx: Context): Promise<number> {
  return ctx.db.run(sql`
    with gone as (delete from home_feeds returning account_id)
    delete from home_feed using gone where home_feed.account_id = gone.account_id`)
}
