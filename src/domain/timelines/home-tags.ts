import type { HomeFeed, Statuses, Accounts } from '../../db/schema.ts'
import type { Context } from '../../context.ts'
import { allOf, count, sql, type Sql } from '../../db/sql.ts'
import { isShownInPublic } from '../statuses/visibility.ts'
import { holdOffBuilds } from './home-lock.ts'
import { hidesNoneOf, isInNoExclusiveList } from './home-rules.ts'

/** Feeds that one statement writes; a job continues with the others. */
const CHUNK = 5000

/** A condition on a status `s` of `a`: public, no boost, by an account that public feeds show. */
const isBroughtByTags: Sql = sql`(${isShownInPublic} and s.reblog_of_id is null)`

const participantColumns = {
  authors: sql`array[s.account_id]`,
  domains: sql`array[a.domain]`,
  mentioned: sql`array(select mn.account_id from mentions mn where mn.status_id = s.id)`,
  mentionedInOriginal: sql`'{}'::bigint[]`,
}

/** A condition on a status `s` of `a`, for the home feed of `f.account_id`. */
export const belongsForTags: Sql = allOf([
  isBroughtByTags,
  sql`exists (select from status_tags st join followed_tags ft on ft.tag_id = st.tag_id and ft.account_id = f.account_id where st.status_id = s.id)`,
  hidesNoneOf(participantColumns),
  isInNoExclusiveList(sql`s.account_id`),
])

type Entry = Omit<HomeFeed, 'account_id'>

/** Oldest first: the newest statuses of each followed hashtag, at most `limit`. */
export function tagCandidates(tx: Context, accountId: string, limit: number): Promise<Entry[]> {
  return tx.db.many<Entry>(sql`
    with ft as materialized (select tag_id from followed_tags where account_id = ${accountId}),
    newest as (
      select distinct tagged.status_id from ft cross join lateral (
        select st.status_id from status_tags st where st.tag_id = ft.tag_id
        order by st.status_id desc limit (select greatest(10, ${limit}::int / greatest(count(*), 1)) from ft)
      ) tagged order by tagged.status_id desc limit ${count(limit)}
    )
    select s.id as status_id, s.id as original_id, s.account_id as author_id
    from newest join statuses s on s.id = newest.status_id join accounts a on a.id = s.account_id
      cross join (select ${accountId}::bigint as account_id) f
    where ${belongsForTags}
    order by s.id`)
}

type Post = Pick<Statuses, 'account_id'> & Pick<Accounts, 'domain'> & { mentioned: string[]; tag_ids: string[] }

/**
 * Adds a status to the home feeds of the first `limit` accounts with a feed that follow one of its hashtags. `after`: the id of
 * the last followed hashtag already handled. Returns the id to continue after, or null. May run twice. Locks the status: a
 * deletion that comes later sees the entries.
 */
export async function insertIntoHomesByTags(
  tx: Context,
  statusId: string,
  { after = null, limit = CHUNK }: { after?: string | null; limit?: number } = {},
): Promise<string | null> {
  const post = await tx.db.maybe<Post & { held: unknown }>(sql`
    select ${holdOffBuilds}::text as held, s.account_id, a.domain, array(select account_id from mentions where status_id = s.id) as mentioned,
      array(select st.tag_id from status_tags st where st.status_id = s.id) as tag_ids
    from statuses s join accounts a on a.id = s.account_id where s.id = ${statusId} and ${isBroughtByTags}
    for key share of s`)
  if (!post || post.tag_ids.length === 0) return null
  const isShown = hidesNoneOf({
    authors: sql`${[post.account_id]}::bigint[]`,
    domains: sql`${post.domain === null ? [] : [post.domain]}::text[]`,
    mentioned: sql`${post.mentioned}::bigint[]`,
    mentionedInOriginal: sql`'{}'::bigint[]`,
  })
  const { last, seen } = await tx.db.one<{ last: string | null; seen: number }>(sql`
    with batch as materialized (
      select ft.id, ft.account_id from followed_tags ft join home_feeds h on h.account_id = ft.account_id
      where ft.tag_id = any(${post.tag_ids}::bigint[]) and ft.id > ${after ?? '0'} order by ft.id limit ${count(limit)}
    ), added as (
      insert into home_feed (account_id, status_id, original_id, author_id)
      select f.account_id, ${statusId}, ${statusId}, ${post.account_id} from (select distinct account_id from batch) f
      where ${isShown} and ${isInNoExclusiveList(sql`${post.account_id}::bigint`)}
      on conflict do nothing
    )
    select max(id) as last, count(*)::int as seen from batch`)
  return seen === limit ? last : null
}

/** Keeps statuses that a follow or another hashtag also brings. */
export async function removeTagFromHome(tx: Context, accountId: string, tagId: string): Promise<void> {
  await tx.db.run(sql`
    delete from home_feed hf using status_tags gone
    where hf.account_id = ${accountId} and gone.tag_id = ${tagId} and gone.status_id = hf.status_id and hf.author_id <> ${accountId}
      and not exists (select from follows f where f.account_id = ${accountId} and f.target_account_id = hf.author_id)
      and not exists (
        select from status_tags st join followed_tags ft on ft.tag_id = st.tag_id and ft.account_id = ${accountId}
        where st.status_id = hf.status_id)`)
}
