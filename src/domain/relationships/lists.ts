import type { Context } from '../../context.ts'
import { newestFirst, ordered, within, type Page } from '../../db/page.ts'
import { sql, type Sql } from '../../db/sql.ts'
import type { AccountRow } from '../accounts/find.ts'
import { notHiddenFrom } from './hidden.ts'

/** Somebody in a list of people. `id` is that of the tie, and the cursor of the list. */
export type TieRow = { id: string; account_id: string }
export type MuteRow = TieRow & { expires_at: Date | null }

type Looker = { accountId: string } | null

/**
 * Whether the viewer may see whom the account follows and who follows it: not of suspended accounts, of those that block the
 * viewer, nor of those that hide it from everybody else.
 */
export async function showsNetwork(
  ctx: Context,
  viewer: Looker,
  account: Pick<AccountRow, 'id' | 'suspended_at' | 'hide_collections'>,
): Promise<boolean> {
  if (account.suspended_at) return false
  if (viewer?.accountId === account.id) return true
  if (account.hide_collections) return false
  return (
    !viewer ||
    (await ctx.db.maybe(
      sql`select id from blocks where account_id = ${account.id} and target_account_id = ${viewer.accountId}`,
    )) === null
  )
}

/** Who follows the account, newest follow first. To its owner nobody is hidden but the suspended. */
export function listFollowers(ctx: Context, viewer: Looker, accountId: string, page: Page): Promise<TieRow[]> {
  return read(
    ctx,
    page,
    sql`
    select tie.id, tie.account_id from follows tie cross join lateral (
      select from accounts a where a.id = tie.account_id and ${notHiddenFrom(stranger(viewer, accountId))} limit 1) shown
    where tie.target_account_id = ${accountId}`,
  )
}

/** Whom the account follows, newest follow first. To its owner nobody is hidden but the suspended. */
export function listFollowing(ctx: Context, viewer: Looker, accountId: string, page: Page): Promise<TieRow[]> {
  return read(
    ctx,
    page,
    sql`
    select tie.id, tie.target_account_id as account_id from follows tie cross join lateral (
      select from accounts a where a.id = tie.target_account_id and ${notHiddenFrom(stranger(viewer, accountId))} limit 1) shown
    where tie.account_id = ${accountId}`,
  )
}

const stranger = (viewer: Looker, accountId: string): Looker => (viewer?.accountId === accountId ? null : viewer)

/** Whom the account blocks. */
export function listBlocks(ctx: Context, accountId: string, page: Page): Promise<TieRow[]> {
  return read(
    ctx,
    page,
    sql`
    select tie.id, tie.target_account_id as account_id from blocks tie cross join lateral (
      select from accounts a where a.id = tie.target_account_id and a.suspended_at is null limit 1) shown
    where tie.account_id = ${accountId}`,
  )
}

/** Whom the account mutes at this moment. */
export function listMutes(ctx: Context, accountId: string, page: Page): Promise<MuteRow[]> {
  return read(
    ctx,
    page,
    sql`
    select tie.id, tie.target_account_id as account_id, tie.expires_at from mutes tie cross join lateral (
      select from accounts a where a.id = tie.target_account_id and a.suspended_at is null limit 1) shown
    where tie.account_id = ${accountId} and (tie.expires_at is null or tie.expires_at > now())`,
  )
}

/** Who asks to follow the account. */
export function listRequests(ctx: Context, accountId: string, page: Page): Promise<TieRow[]> {
  return read(
    ctx,
    page,
    sql`
    select tie.id, tie.account_id from follow_requests tie cross join lateral (
      select from accounts a where a.id = tie.account_id and a.suspended_at is null limit 1) shown
    where tie.target_account_id = ${accountId}`,
  )
}

/**
 * Rows are looked at one by one (lateral, with a limit) until the page is full: planners, who cannot know that hardly anybody is
 * hidden, would read through all accounts otherwise.
 */
async function read<Row>(ctx: Context, page: Page, rows: Sql): Promise<Row[]> {
  const cursor = sql`tie.id`
  return newestFirst(await ctx.db.many<Row>(sql`${rows} and ${within(cursor, page)} ${ordered(cursor, page)}`), page)
}

/**
 * For each of the accounts, whom the viewer follows among its followers. Nobody where either hides such things. Unknown and
 * suspended accounts have no entry.
 */
export async function findFamiliarFollowers(
  ctx: Context,
  me: string,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await ctx.db.many<{ id: string; familiar: string[] }>(sql`
    select a.id, coalesce((
      select array_agg(theirs.account_id order by theirs.id desc)
      from follows theirs
      join follows mine on mine.account_id = ${me} and mine.target_account_id = theirs.account_id
      join accounts between_us on between_us.id = theirs.account_id
      where theirs.target_account_id = a.id and a.hide_collections is not true and between_us.hide_collections is not true
        and between_us.suspended_at is null
    ), '{}') as familiar
    from accounts a where a.id = any(${ids}::bigint[]) and a.suspended_at is null`)
  const found = new Map(rows.map((row) => [row.id, row.familiar]))
  return new Map(ids.flatMap((id) => (found.has(id) ? [[id, found.get(id) as string[]]] : [])))
}
