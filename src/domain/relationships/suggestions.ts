import { parseHandle } from '../../ap/handle.ts'
import type { Context } from '../../context.ts'
import type { OffsetPage } from '../../db/page.ts'
import type { Accounts } from '../../db/schema.ts'
import { nothing, sql, type Sql } from '../../db/sql.ts'
import { isShown } from '../accounts/find.ts'
import { isHiddenFrom } from './hidden.ts'
import { recommendedTo } from './recommendations.ts'
import { isLocalDomain } from '../server/addresses.ts'
import { getSettings, memoized } from '../server/settings.ts'

/** The strongest reason first. */
export const SUGGESTION_SOURCES = [
  'featured',
  'friends_of_friends',
  'similar_to_recently_followed',
  'most_followed',
] as const
export type SuggestionSource = (typeof SUGGESTION_SOURCES)[number]

export type SuggestionRow = { account_id: string; sources: SuggestionSource[] }

const CANDIDATES = 200

/**
 * Leaves out accounts that the account follows, has asked to follow or has dismissed, and accounts that are hidden from
 * it, limited, suspended or moved, or whose suggestion staff has suppressed. Accounts must be discoverable, except for the
 * staff's picks.
 */
export async function listSuggestions(
  ctx: Context,
  accountId: string,
  { limit, offset }: OffsetPage,
): Promise<SuggestionRow[]> {
  const [staff, popular] = [await staffPicks(ctx), await popularHere(ctx)]
  return ctx.db.many<SuggestionRow>(sql`
    with candidates (id, source, score) as (
      (${listed(staff, 'featured')})
      union all (${friendsOfFriends(accountId)})
      union all (${similar(accountId)})
      union all (${listed(popular, 'most_followed')})
      ${ctx.config.fasp ? sql`union all (${recommendedTo(accountId, CANDIDATES)})` : nothing}
    )
    select a.id as account_id, array_agg(c.source order by array_position(${SUGGESTION_SOURCES}::text[], c.source)) as sources
    from (select id, source, max(score) as score from candidates group by id, source) c join accounts a on a.id = c.id
    where a.id <> ${accountId} and ${isSuggestable} and not ${isHiddenFrom(sql`a.id`, sql`a.domain`, accountId)}
      and not exists (select from follows x where x.account_id = ${accountId} and x.target_account_id = a.id)
      and not exists (select from follow_requests x where x.account_id = ${accountId} and x.target_account_id = a.id)
      and not exists (select from suggestion_dismissals x where x.account_id = ${accountId} and x.target_account_id = a.id)
    group by a.id order by ${byStrongestReason}
    limit ${limit} offset ${offset}`)
}

const byStrongestReason: Sql = sql`min(array_position(${SUGGESTION_SOURCES}::text[], c.source)), max(c.score) desc, a.id`

/** Whether the candidate `c`, an account `a`, may be suggested at all. */
const isSuggestable: Sql = sql`(
  a.suspended_at is null and a.silenced_at is null and a.moved_to_id is null and not a.memorial
  and (a.discoverable or c.source = 'featured') and ${isShown}
  and not exists (select from follow_recommendation_suppressions x where x.account_id = a.id))`

/** `language`: of the user's pages; null for remote accounts. */
export type Recommendation = { account_id: string; sources: ('featured' | 'most_followed')[]; language: string | null }

const MAX_RECOMMENDATIONS = 1000

/** The accounts whose suggestion staff has suppressed, newest decision first. */
export const listSuppressed = (ctx: Context): Promise<Recommendation[]> =>
  ctx.db.many<Recommendation>(sql`
    select x.account_id, '{}'::text[] as sources, u.locale as language
    from follow_recommendation_suppressions x left join users u on u.account_id = x.account_id
    order by x.created_at desc, x.account_id limit ${MAX_RECOMMENDATIONS}`)

/** The accounts suggested to newcomers, who follow no one yet, in the order of the suggestions. */
export async function listRecommendations(ctx: Context): Promise<Recommendation[]> {
  const [staff, popular] = [await staffPicks(ctx), await popularHere(ctx)]
  return ctx.db.many<Recommendation>(sql`
    with candidates (id, source, score) as ((${listed(staff, 'featured')}) union all (${listed(popular, 'most_followed')}))
    select a.id as account_id, array_agg(c.source order by c.source) as sources, u.locale as language
    from candidates c join accounts a on a.id = c.id left join users u on u.account_id = a.id
    where ${isSuggestable}
    group by a.id, u.locale order by ${byStrongestReason}
    limit ${MAX_RECOMMENDATIONS}`)
}

/** Returns the accounts that changed. */
export const storeSuppressed = (
  tx: Context,
  ids: readonly string[],
  suppressed: boolean,
): Promise<Pick<Accounts, 'id' | 'username' | 'domain'>[]> =>
  tx.db.many(sql`
    with changed as (${
      suppressed
        ? sql`insert into follow_recommendation_suppressions (account_id)
            select id from accounts where id = any(${ids}::bigint[]) on conflict do nothing returning account_id`
        : sql`delete from follow_recommendation_suppressions where account_id = any(${ids}::bigint[]) returning account_id`
    })
    select a.id, a.username, a.domain from changed join accounts a on a.id = changed.account_id order by a.id`)

/** `ids` has the best candidate first. */
const listed = (ids: readonly string[], source: SuggestionSource): Sql => sql`
  select id, ${source}::text as source, -position as score from unnest(${ids}::bigint[]) with ordinality as given (id, position)`

/** Ranked by how many of the account's newest follows follow them. Hidden networks do not count. */
const friendsOfFriends = (accountId: string): Sql => sql`
  select theirs.target_account_id, 'friends_of_friends', count(*)
  from (select target_account_id from follows where account_id = ${accountId} order by id desc limit 200) mine
  join accounts friend on friend.id = mine.target_account_id and friend.hide_collections is not true and friend.suspended_at is null
  cross join lateral (
    select f.target_account_id from follows f where f.account_id = mine.target_account_id order by f.id desc limit 100
  ) theirs
  group by 1 order by 3 desc, 1 limit ${CANDIDATES}::int`

/** Accounts that recently used the hashtags that the account follows, or that its newest follows use. */
const similar = (accountId: string): Sql => sql`
  select s.account_id, 'similar_to_recently_followed', count(*)
  from (
    (select tag_id from followed_tags where account_id = ${accountId} order by id desc limit 10)
    union (
      select st.tag_id from (select target_account_id from follows where account_id = ${accountId} order by id desc limit 10) f
      cross join lateral (
        select s.id from statuses s where s.account_id = f.target_account_id and s.visibility = 'public' order by s.id desc limit 20
      ) recent join status_tags st on st.status_id = recent.id
      group by st.tag_id order by count(*) desc, st.tag_id limit 10)
  ) interests
  cross join lateral (
    select st.status_id from status_tags st where st.tag_id = interests.tag_id order by st.status_id desc limit 100
  ) tagged
  join statuses s on s.id = tagged.status_id and s.visibility = 'public' and s.reblog_of_id is null
  group by 1 order by 3 desc, 1 limit ${CANDIDATES}::int`

const staffPicks = memoized(60, async (ctx) => {
  const handles = (await getSettings(ctx)).staff_picks.map(parseHandle).filter((handle) => handle !== null)
  if (handles.length === 0) return []
  const domains = handles.map(({ domain }) => (domain === null || isLocalDomain(ctx, domain) ? '' : domain))
  const rows = await ctx.db.many<{ id: string }>(sql`
    select a.id from unnest(${handles.map(({ username }) => username.toLowerCase())}::text[], ${domains}::text[]) with ordinality as picked (username, domain, position)
    join accounts a on lower(a.username) = picked.username and coalesce(a.domain, '') = picked.domain
    order by picked.position limit ${CANDIDATES}::int`)
  return rows.map(({ id }) => id)
})

const popularHere = memoized(60, async (ctx) => {
  const rows = await ctx.db.many<{ id: string }>(sql`
    select a.id from accounts a join account_stats ast on ast.account_id = a.id
    where a.domain is null and a.discoverable and a.suspended_at is null and a.silenced_at is null and a.moved_to_id is null and ${isShown}
    order by ast.followers_count desc, a.id limit ${CANDIDATES}::int`)
  return rows.map(({ id }) => id)
})

/** Ignores unknown ids. */
export async function insertSuggestionDismissal(
  ctx: Context,
  accountId: string,
  targetAccountId: string,
): Promise<void> {
  await ctx.db.run(sql`
    insert into suggestion_dismissals (account_id, target_account_id) select ${accountId}, id from accounts where id = ${targetAccountId}
    on conflict do nothing`)
}
