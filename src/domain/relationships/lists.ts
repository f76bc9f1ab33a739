import type { Context } from '../../context.ts'
import { type Pagination, newestFirst, onPage } from '../../db/page.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { type AccountRow, isShown } from '../accounts/find.ts'
import { hasBlocked, notHiddenFrom } from './hidden.ts'

/** `id` is that of the follow, block, mute or request, and the cursor of the list. */
export type RelationshipEntry = { id: string; account_id: string }
export type MuteEntry = RelationshipEntry & { expires_at: Date | null }

type Viewer = { accountId: string } | null

/** False when the account is suspended; for others also when it blocks the viewer or hides its network. */
export async function showsNetwork(
  ctx: Context,
  viewer: Viewer,
  account: Pick<AccountRow, 'id' | 'suspended_at' | 'hide_collections'>,
): Promise<boolean> {
  if (account.suspended_at) return false
  if (viewer?.accountId === account.id) return true
  if (account.hide_collections) return false
  return !viewer || (await ctx.db.maybe(sql`select where ${hasBlocked(account.id, viewer.accountId)}`)) === null
}

/** The account itself sees all but suspended followers. */
export function listFollowers(
  ctx: Context,
  viewer: Viewer,
  accountId: string,
  page: Pagination,
): Promise<RelationshipEntry[]> {
  return read(
    ctx,
    page,
    sql`
    select entry.id, entry.account_id from follows entry cross join lateral (
      select from accounts a where a.id = entry.account_id and ${notHiddenFrom(unlessOwner(viewer, accountId))} limit 1) shown
    where entry.target_account_id = ${accountId}`,
  )
}

/** The account itself sees all but suspended accounts. */
export function listFollowing(
  ctx: Context,
  viewer: Viewer,
  accountId: string,
  page: Pagination,
): Promise<RelationshipEntry[]> {
  return read(
    ctx,
    page,
    sql`
    select entry.id, entry.target_account_id as account_id from follows entry cross join lateral (
      select from accounts a where a.id = entry.target_account_id and ${notHiddenFrom(unlessOwner(viewer, accountId))} limit 1) shown
    where entry.account_id = ${accountId}`,
  )
}

export const OWN_LISTS = ['following', 'followers', 'dormant', 'moved'] as const
/** `dormant` and `moved`: followed accounts that have not posted for a month, or have moved. */
export type OwnList = (typeof OWN_LISTS)[number]

/** For the account itself. */
export function listOwn(
  ctx: Context,
  accountId: string,
  list: OwnList,
  page: Pagination,
): Promise<RelationshipEntry[]> {
  if (list === 'followers') return listFollowers(ctx, { accountId }, accountId, page)
  if (list === 'following') return listFollowing(ctx, { accountId }, accountId, page)
  const condition =
    list === 'moved'
      ? sql`a.moved_to_id is not null`
      : sql`(ast.last_status_at is null or ast.last_status_at < current_date - interval '1 month')`
  return read(
    ctx,
    page,
    sql`
    select entry.id, entry.target_account_id as account_id
    from follows entry join accounts a on a.id = entry.target_account_id left join account_stats ast on ast.account_id = a.id
    where entry.account_id = ${accountId} and a.suspended_at is null and ${condition}`,
  )
}

const unlessOwner = (viewer: Viewer, accountId: string): Viewer => (viewer?.accountId === accountId ? null : viewer)

export function listBlocks(ctx: Context, accountId: string, page: Pagination): Promise<RelationshipEntry[]> {
  return read(
    ctx,
    page,
    sql`
    select entry.id, entry.target_account_id as account_id from blocks entry cross join lateral (
      select from accounts a where a.id = entry.target_account_id and a.suspended_at is null limit 1) shown
    where entry.account_id = ${accountId}`,
  )
}

export function listMutes(ctx: Context, accountId: string, page: Pagination): Promise<MuteEntry[]> {
  return read(
    ctx,
    page,
    sql`
    select entry.id, entry.target_account_id as account_id, entry.expires_at from mutes entry cross join lateral (
      select from accounts a where a.id = entry.target_account_id and a.suspended_at is null limit 1) shown
    where entry.account_id = ${accountId} and (entry.expires_at is null or entry.expires_at > now())`,
  )
}

export function listFollowRequests(ctx: Context, accountId: string, page: Pagination): Promise<RelationshipEntry[]> {
  return read(
    ctx,
    page,
    sql`
    select entry.id, entry.account_id from follow_requests entry cross join lateral (
      select from accounts a where a.id = entry.account_id and a.suspended_at is null limit 1) shown
    where entry.target_account_id = ${accountId}`,
  )
}

/**
 * The statements test one row at a time (lateral, with a limit) until the page is full. The planner cannot know that few accounts
 * are hidden, and would otherwise scan all accounts.
 */
async function read<Row>(ctx: Context, page: Pagination, rows: Sql): Promise<Row[]> {
  const cursor = sql`entry.id`
  return newestFirst(await ctx.db.many<Row>(sql`${rows} and ${onPage(cursor, page)}`), page)
}

export const MAX_FAMILIAR = 100

/**
 * For each of the accounts, its newest followers that the viewer follows; none where the account blocks the viewer, or it or the
 * follower hides its network. Suspended accounts, and those that may not be shown, have no entry.
 */
export async function findFamiliarFollowers(
  ctx: Context,
  me: string,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await ctx.db.many<{ id: string; familiar: string[] }>(sql`
    select a.id, coalesce((
      select (array_agg(theirs.account_id order by theirs.id desc))[:${MAX_FAMILIAR}::int]
      from follows theirs
      join follows mine on mine.account_id = ${me} and mine.target_account_id = theirs.account_id
      join accounts between_us on between_us.id = theirs.account_id
      where theirs.target_account_id = a.id and a.hide_collections is not true and between_us.hide_collections is not true
        and between_us.suspended_at is null and not ${hasBlocked(sql`a.id`, me)}
    ), '{}') as familiar
    from accounts a where a.id = any(${ids}::bigint[]) and a.suspended_at is null and ${isShown}`)
  const found = new Map(rows.map((row) => [row.id, row.familiar]))
  return new Map(ids.flatMap((id) => (found.has(id) ? [[id, found.get(id) as string[]]] : [])))
}
