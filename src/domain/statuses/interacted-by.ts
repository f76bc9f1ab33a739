import type { Context } from '../../context.ts'
import { newestFirst, ordered, within, type Pagination } from '../../db/page.ts'
import { sql } from '../../db/sql.ts'
import { notHiddenFrom } from '../relationships/hidden.ts'
import { visibleTo, type MaybeViewer, isPublicOrUnlisted } from './visibility.ts'

/** One entry of a list: `cursor` is the id of the row by which the list pages. */
export type Entry = { cursor: string; id: string }

/** Statuses an account has bookmarked, the latest bookmark first, as far as they may still be read. */
export async function findBookmarks(ctx: Context, accountId: string, page: Pagination): Promise<Entry[]> {
  const rows = await ctx.db.many<Entry>(sql`
    select b.id as cursor, s.id from bookmarks b join statuses s on s.id = b.status_id join accounts a on a.id = s.account_id
    where b.account_id = ${accountId} and ${visibleTo({ accountId })} and ${within(sql`b.id`, page)} ${ordered(sql`b.id`, page)}`)
  return newestFirst(rows, page)
}

/** As findBookmarks, of favourites. */
export async function findFavourites(ctx: Context, accountId: string, page: Pagination): Promise<Entry[]> {
  const rows = await ctx.db.many<Entry>(sql`
    select f.id as cursor, s.id from favourites f join statuses s on s.id = f.status_id join accounts a on a.id = s.account_id
    where f.account_id = ${accountId} and ${visibleTo({ accountId })} and ${within(sql`f.id`, page)} ${ordered(sql`f.id`, page)}`)
  return newestFirst(rows, page)
}

// Lateral, with a limit: planners, who cannot know that hardly anybody is hidden, would read through all accounts otherwise.

/** Accounts that favourited a status, without those that are hidden from the viewer. */
export async function findFavouritedBy(
  ctx: Context,
  viewer: MaybeViewer,
  statusId: string,
  page: Pagination,
): Promise<Entry[]> {
  const rows = await ctx.db.many<Entry>(sql`
    select f.id as cursor, f.account_id as id from favourites f cross join lateral (
      select from accounts a where a.id = f.account_id and ${notHiddenFrom(viewer)} limit 1) shown
    where f.status_id = ${statusId} and f.approval is null and ${within(sql`f.id`, page)} ${ordered(sql`f.id`, page)}`)
  return newestFirst(rows, page)
}

/** Accounts that boosted a status for everybody to see, without those that are hidden from the viewer. */
export async function findRebloggedBy(
  ctx: Context,
  viewer: MaybeViewer,
  statusId: string,
  page: Pagination,
): Promise<Entry[]> {
  const rows = await ctx.db.many<Entry>(sql`
    select s.id as cursor, s.account_id as id from statuses s cross join lateral (
      select from accounts a where a.id = s.account_id and ${notHiddenFrom(viewer)} limit 1) shown
    where s.reblog_of_id = ${statusId} and ${isPublicOrUnlisted(sql`s.visibility`)} and s.approval is null and ${within(sql`s.id`, page)} ${ordered(sql`s.id`, page)}`)
  return newestFirst(rows, page)
}
