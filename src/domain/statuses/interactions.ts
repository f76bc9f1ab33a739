import type { Context } from '../../context.ts'
import { type Pagination, newestFirst, ordered, within } from '../../db/page.ts'
import { sql } from '../../db/sql.ts'
import { notHiddenFrom } from '../relationships/hidden.ts'
import { indexKept, unindexKept } from '../search/status-index.ts'
import { type MaybeViewer, isPublicOrUnlisted, visibleTo } from './visibility.ts'

type Fresh = { id: string | null; author_domain: string | null; local: boolean }

export type FavouriteOptions = {
  /** The id of a remote one. */
  uri?: string | null
  /** Whether the author has to approve it first. */
  approval?: 'pending' | null
  /** The authorization by the author, verified. */
  approvalUri?: string | null
}

/** Stores and counts a favourite. `id` is null when there was one already. Null when the status is gone. */
export async function insertFavourite(
  tx: Context,
  accountId: string,
  statusId: string,
  { uri = null, approval = null, approvalUri = null }: FavouriteOptions,
): Promise<Fresh | null> {
  return tx.db.maybe<Fresh>(sql`
    with target as (select id, account_id from statuses where id = ${statusId} for key share),
      fresh as (
        insert into favourites (account_id, status_id, uri, approval, approval_uri) select ${accountId}, id, ${uri}, ${approval}, ${approvalUri} from target
        on conflict (status_id, account_id) do nothing returning id, status_id
      ), counted as (
        insert into status_stats (status_id, favourites_count) select status_id, 1 from fresh where ${approval === null}
        on conflict (status_id) do update set favourites_count = status_stats.favourites_count + 1
      )
    select (select id from fresh) as id, author.domain as author_domain, me.domain is null as local
    from target join accounts author on author.id = target.account_id join accounts me on me.id = ${accountId}`)
}

type Gone = {
  id: string
  author_id: string
  author_domain: string | null
  username: string
  uri: string | null
  local: boolean
}

/** Deletes a favourite and its count. Null when there was none. */
export async function deleteFavourite(tx: Context, accountId: string, statusId: string): Promise<Gone | null> {
  return tx.db.maybe<Gone>(sql`
    with gone as (
      delete from favourites where account_id = ${accountId} and status_id = ${statusId} returning id, status_id, approval
    ), counted as (
      update status_stats t set favourites_count = greatest(t.favourites_count - 1, 0) from gone where t.status_id = gone.status_id and gone.approval is null
    )
    select gone.id, s.account_id as author_id, author.domain as author_domain, author.username, s.uri, me.domain is null as local
    from gone join statuses s on s.id = gone.status_id join accounts author on author.id = s.account_id join accounts me on me.id = ${accountId}`)
}

/** The id of an account's favourite of a status, or null. */
export async function findFavourite(ctx: Context, accountId: string, statusId: string): Promise<string | null> {
  const row = await ctx.db.maybe<{ id: string }>(
    sql`select id from favourites where account_id = ${accountId} and status_id = ${statusId}`,
  )
  return row?.id ?? null
}

/** Puts a status aside for an account, once. Nobody else learns of it. Of a status that is gone there is nothing to put aside. */
export async function bookmark(ctx: Context, accountId: string, statusId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const added = await tx.db.run(sql`
      with target as (select id from statuses where id = ${statusId} for key share)
      insert into bookmarks (account_id, status_id) select ${accountId}, id from target on conflict (status_id, account_id) do nothing`)
    if (added > 0) await indexKept(tx, accountId, statusId)
  })
}

/** Takes a bookmark away. Gives whether there was one. */
export async function unbookmark(ctx: Context, accountId: string, statusId: string): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const gone = await tx.db.run(sql`delete from bookmarks where account_id = ${accountId} and status_id = ${statusId}`)
    if (gone > 0) await unindexKept(tx, accountId, statusId)
    return gone > 0
  })
}

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
