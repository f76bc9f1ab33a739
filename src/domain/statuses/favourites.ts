import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

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
