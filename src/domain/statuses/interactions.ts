import type { Context } from '../../context.ts'
import { type Pagination, newestFirst, onPage } from '../../db/page.ts'
import type { Accounts, Favourites, StatusPins, Statuses } from '../../db/schema.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { invalidRequest } from '../../lib/errors.ts'
import { notHiddenFrom } from '../relationships/hidden.ts'
import { readShown, StatusReader } from './reader.ts'
import { type MaybeViewer, isPublicOrUnlistedSql } from './visibility.ts'
import { lockAccount } from '../users/locks.ts'

export type FavouriteOptions = {
  /** Only of remote accounts. */
  uri?: string | null
  approval?: 'pending' | null
  /** The author's verified authorization. */
  approvalUri?: string | null
}

export type NewFavourite = FavouriteOptions & { accountId: string; statusId: string }

/**
 * Members of a `with` list: `target`, the statuses that are not gone, and `fresh`, the favourites that the accounts had not given
 * before. Accounts that are suspended or deleted just then give none. Locks the statuses against edits: otherwise the
 * entry for the account in the search index (addToLibraryIndex) could have the words from before the edit.
 */
export const insertedFavourites = (favourites: readonly NewFavourite[]): Sql => sql`
    given as (
      select * from unnest(${favourites.map(({ accountId }) => accountId)}::bigint[], ${favourites.map(({ statusId }) => statusId)}::bigint[],
        ${favourites.map(({ uri }) => uri ?? null)}::text[], ${favourites.map(({ approval }) => approval ?? null)}::text[],
        ${favourites.map(({ approvalUri }) => approvalUri ?? null)}::text[]) g (account_id, status_id, uri, approval, approval_uri)
    ), target as materialized (
      select id, account_id, conversation_id from statuses where id = any(${favourites.map(({ statusId }) => statusId)}::bigint[]) order by id for share
    ), giver as materialized (
      select id from accounts where id = any(${favourites.map(({ accountId }) => accountId)}::bigint[]) and suspended_at is null order by id for key share
    ), fresh as (
      insert into favourites (account_id, status_id, uri, approval, approval_uri)
      select g.account_id, g.status_id, g.uri, g.approval, g.approval_uri
      from given g join target on target.id = g.status_id join giver on giver.id = g.account_id order by g.status_id, g.account_id
      on conflict (status_id, account_id) do nothing returning id, account_id, status_id, approval
    ), counted as (
      insert into status_stats (status_id, favourites_count) select status_id, count(*)::int from fresh where approval is null group by status_id order by status_id
      on conflict (status_id) do update set favourites_count = status_stats.favourites_count + excluded.favourites_count
    )`

/** `id` is that of the favourite; `username` and `uri` are those of the status. */
type DeletedFavourite = Pick<Favourites, 'id'> &
  Pick<Accounts, 'username'> &
  Pick<Statuses, 'uri'> & { author_id: string; author_domain: string | null; local: boolean }

/**
 * Null when there was none. Locks the status as an edit does: one that has read who favourited it would give the account its
 * entry in the search index back.
 */
export function deleteFavourite(tx: Context, accountId: string, statusId: string): Promise<DeletedFavourite | null> {
  return tx.db.maybe<DeletedFavourite>(sql`
    with target as materialized (select id from statuses where id = ${statusId} for no key update), gone as (
      delete from favourites f using target where f.account_id = ${accountId} and f.status_id = target.id returning f.id, f.status_id, f.approval
    ), counted as (
      update status_stats t set favourites_count = greatest(t.favourites_count - 1, 0) from gone where t.status_id = gone.status_id and gone.approval is null
    )
    select gone.id, s.account_id as author_id, author.domain as author_domain, author.username, s.uri, me.domain is null as local
    from gone join statuses s on s.id = gone.status_id join accounts author on author.id = s.account_id join accounts me on me.id = ${accountId}`)
}

export async function findFavourite(ctx: Context, accountId: string, statusId: string): Promise<string | null> {
  const row = await ctx.db.maybe<Pick<Favourites, 'id'>>(
    sql`select id from favourites where account_id = ${accountId} and status_id = ${statusId}`,
  )
  return row?.id ?? null
}

/** Does nothing when there was a bookmark, or the status is gone. Locks the status as insertedFavourites does. */
export async function insertBookmark(tx: Context, accountId: string, statusId: string): Promise<void> {
  await tx.db.run(sql`
    with target as (select id from statuses where id = ${statusId} for share)
    insert into bookmarks (account_id, status_id) select ${accountId}, id from target on conflict (status_id, account_id) do nothing`)
}

/** Locks the status as deleteFavourite does. */
export const deleteBookmark = async (tx: Context, accountId: string, statusId: string): Promise<boolean> =>
  (await tx.db.run(sql`
    with target as materialized (select id from statuses where id = ${statusId} for no key update)
    delete from bookmarks b using target where b.account_id = ${accountId} and b.status_id = target.id`)) > 0

/** For lists that page by rows other than the listed statuses or accounts: `cursor` is the id of the row. */
export type ListEntry = { cursor: string; id: string }

/** Most recently bookmarked first. Leaves out statuses that the account may no longer see. */
export const findBookmarks = (ctx: Context, accountId: string, page: Pagination): Promise<ListEntry[]> =>
  findMarked(ctx, accountId, page, sql`bookmarks`)

/** Most recently favourited first. Leaves out statuses that the account may no longer see. */
export const findFavourites = (ctx: Context, accountId: string, page: Pagination): Promise<ListEntry[]> =>
  findMarked(ctx, accountId, page, sql`favourites`)

function findMarked(ctx: Context, accountId: string, page: Pagination, table: Sql): Promise<ListEntry[]> {
  return readShown<ListEntry>(page, {
    read: (part) =>
      ctx.db.many(sql`
        select m.id as cursor, m.status_id as id from ${table} m
        where m.account_id = ${accountId} and ${onPage(sql`m.id`, part)}`),
    filter: async (found) => {
      const ids = found.map(({ id }) => id)
      const reader = await StatusReader.load(ctx, { accountId }, ids)
      return found.filter(({ id }) => reader.sees(reader.status(id)))
    },
    cursor: ({ cursor }) => cursor,
  })
}

// The lateral joins have a limit because the planner overestimates how many accounts are hidden and would read all accounts.

/** Leaves out accounts hidden from the viewer. */
export async function findFavouritedBy(
  ctx: Context,
  viewer: MaybeViewer,
  statusId: string,
  page: Pagination,
): Promise<ListEntry[]> {
  const rows = await ctx.db.many<ListEntry>(sql`
    select f.id as cursor, f.account_id as id from favourites f cross join lateral (
      select from accounts a where a.id = f.account_id and ${notHiddenFrom(viewer)} limit 1) shown
    where f.status_id = ${statusId} and f.approval is null and ${onPage(sql`f.id`, page)}`)
  return newestFirst(rows, page)
}

/** Leaves out private reblogs and accounts hidden from the viewer. */
export async function findRebloggedBy(
  ctx: Context,
  viewer: MaybeViewer,
  statusId: string,
  page: Pagination,
): Promise<ListEntry[]> {
  const rows = await ctx.db.many<ListEntry>(sql`
    select s.id as cursor, s.account_id as id from statuses s cross join lateral (
      select from accounts a where a.id = s.account_id and ${notHiddenFrom(viewer)} limit 1) shown
    where s.reblog_of_id = ${statusId} and ${isPublicOrUnlistedSql(sql`s.visibility`)} and s.approval is null and ${onPage(sql`s.id`, page)}`)
  return newestFirst(rows, page)
}

export const MAX_PINNED_STATUSES = 5

/** Returns whether the status was not pinned before. Throws Invalid above the limit. */
export async function insertPin(tx: Context, accountId: string, statusId: string): Promise<boolean> {
  await lockAccount(tx, accountId)
  const pins = await tx.db.many<Pick<StatusPins, 'status_id'>>(
    sql`select status_id from status_pins where account_id = ${accountId}`,
  )
  if (pins.some(({ status_id }) => status_id === statusId)) return false
  if (pins.length >= MAX_PINNED_STATUSES) throw invalidRequest('pin_limit')
  const added = await tx.db.run(sql`
    insert into status_pins (account_id, status_id) select ${accountId}, id from statuses where id = ${statusId} on conflict do nothing`)
  return added > 0
}

export const deletePin = async (ctx: Context, accountId: string, statusId: string): Promise<boolean> =>
  (await ctx.db.run(sql`delete from status_pins where account_id = ${accountId} and status_id = ${statusId}`)) > 0

/**
 * Pins statuses of a remote account, the first one on top. Ignores statuses of other accounts, boosts and direct statuses.
 */
export async function insertRemotePins(ctx: Context, accountId: string, statusIds: readonly string[]): Promise<void> {
  await ctx.db.run(sql`
    insert into status_pins (account_id, status_id)
    select account_id, id from statuses
    where id = any(${statusIds}::bigint[]) and account_id = ${accountId} and reblog_of_id is null and visibility <> 'direct'
    order by array_position(${statusIds}::bigint[], id) desc
    on conflict do nothing`)
}

export async function replaceRemotePins(ctx: Context, accountId: string, statusIds: readonly string[]): Promise<void> {
  await ctx.db.run(
    sql`delete from status_pins where account_id = ${accountId} and status_id <> all(${statusIds}::bigint[])`,
  )
  await insertRemotePins(ctx, accountId, statusIds)
}
