import type { Context } from '../../context.ts'
import type { Lists } from '../../db/schema.ts'
import { nothing, sql } from '../../db/sql.ts'
import { isHiddenFrom } from '../relationships/hidden.ts'
import { isShownInPublic, visibleToAccount } from '../statuses/visibility.ts'
import { belongsInList, joinsInList } from './list.ts'
import { readsLanguage } from './public.ts'

type LivePost = { local: boolean; media: boolean; reply: boolean; tags: string[] }

/** Null when the status is not public, is a boost, or its author is limited or suspended. */
export async function findLivePost(ctx: Context, statusId: string): Promise<LivePost | null> {
  return ctx.db.maybe<LivePost>(sql`
    select s.local, cardinality(s.media_ids) > 0 as media, s.reply,
      array(select t.name from status_tags st join tags t on t.id = st.tag_id where st.status_id = s.id) as tags
    from statuses s join accounts a on a.id = s.account_id
    where s.id = ${statusId} and ${isShownInPublic} and s.reblog_of_id is null`)
}

/**
 * Leaves out accounts with a block, mute or domain block between them and the author. `reads`: whether they read its language.
 */
export async function findAccountsNotHiding(
  ctx: Context,
  statusId: string,
  accountIds: readonly string[],
): Promise<Map<string, { reads: boolean }>> {
  if (accountIds.length === 0) return new Map()
  const rows = await ctx.db.many<{ id: string; reads: boolean }>(sql`
    select v.id, ${readsLanguage} as reads
    from unnest(${accountIds}::bigint[]) v (id) join users u on u.account_id = v.id
    join statuses s on s.id = ${statusId} join accounts a on a.id = s.account_id
    where v.id = a.id or not ${isHiddenFrom(sql`a.id`, sql`a.domain`, sql`v.id`)}`)
  return new Map(rows.map((row) => [row.id, row]))
}

export async function findAccountsSeeing(
  ctx: Context,
  statusId: string,
  accountIds: readonly string[],
): Promise<Set<string>> {
  if (accountIds.length === 0) return new Set()
  const rows = await ctx.db.many<{ id: string }>(sql`
    select v.id from unnest(${accountIds}::bigint[]) v (id) where exists (
      select from statuses s join accounts a on a.id = s.account_id where s.id = ${statusId} and ${visibleToAccount(sql`v.id`)})`)
  return new Set(rows.map(({ id }) => id))
}

/** With `boosted`, also finds boosts of the status. */
export async function findAccountsWithInHome(
  ctx: Context,
  statusId: string,
  accountIds: readonly string[],
  { boosted }: { boosted: boolean },
): Promise<string[]> {
  if (accountIds.length === 0) return []
  const rows = await ctx.db.many<{ account_id: string }>(sql`
    select account_id from home_feed where account_id = any(${accountIds}::bigint[]) and status_id = ${statusId}
    ${boosted ? sql`union select account_id from home_feed where account_id = any(${accountIds}::bigint[]) and original_id = ${statusId} and original_id <> status_id` : nothing}`)
  return rows.map(({ account_id }) => account_id)
}

/** The fan-out skips accounts without a feed. */
export async function findAccountsWithoutHome(ctx: Context, accountIds: readonly string[]): Promise<string[]> {
  if (accountIds.length === 0) return []
  const rows = await ctx.db.many<{ id: string }>(sql`
    select v.id from unnest(${accountIds}::bigint[]) v (id) where not exists (select from home_feeds h where h.account_id = v.id)`)
  return rows.map(({ id }) => id)
}

type ListShowing = Pick<Lists, 'id' | 'account_id'> & { may_repeat: boolean }

/**
 * With `boosted`, also finds lists that show a boost of the status. `may_repeat`: the status is a boost, and a member has the
 * original or an earlier boost.
 */
export async function findListsShowing(
  ctx: Context,
  statusId: string,
  listIds: readonly string[],
  { boosted }: { boosted: boolean },
): Promise<ListShowing[]> {
  if (listIds.length === 0) return []
  return ctx.db.many<ListShowing>(sql`
    select distinct on (l.id) l.id, l.account_id, exists (
      select from statuses e join list_accounts el on el.account_id = e.account_id and el.list_id = l.id
      where (e.id = s.reblog_of_id or e.reblog_of_id = s.reblog_of_id) and e.id < s.id) as may_repeat
    from (
      select id from statuses where id = ${statusId} ${boosted ? sql`union all select id from statuses where reblog_of_id = ${statusId}` : nothing}
    ) shown
    join statuses s on s.id = shown.id
    join list_accounts la on la.account_id = s.account_id and la.list_id = any(${listIds}::bigint[])
    join lists l on l.id = la.list_id
    ${joinsInList}
    where a.suspended_at is null and s.approval is null and (s.account_id = l.account_id or f.id is not null) and ${belongsInList}`)
}

export async function findListsContaining(
  ctx: Context,
  accountId: string,
  listIds: readonly string[],
): Promise<{ id: string; owner_id: string }[]> {
  if (listIds.length === 0) return []
  return ctx.db.many<{ id: string; owner_id: string }>(sql`
    select list_id as id, owner_id from list_accounts where account_id = ${accountId} and list_id = any(${listIds}::bigint[])`)
}
