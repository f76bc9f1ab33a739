import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import { statusUri } from '../../domain/server/addresses.ts'
import { notify, unnotify } from '../notifications/notify.ts'
import { indexKept, unindexKept } from '../../domain/search/status-index.ts'
import { federate } from '../federate.ts'

type Fresh = { id: string | null; author_domain: string | null; local: boolean }

export type FavouriteOptions = {
  /** The id of a remote one. */
  uri?: string | null
  /** Whether the author has to approve it first. */
  approval?: 'pending' | null
  /** The authorization by the author, verified. */
  approvalUri?: string | null
}

/**
 * Marks a status as a favourite of an account, once: counts, notifies the author, tells the author's server. One that needs
 * approval only asks for it. Gives whether it is new. Throws NotFound when the status is gone.
 */
export async function favourite(
  ctx: Context,
  accountId: string,
  statusId: string,
  { uri = null, approval = null, approvalUri = null }: FavouriteOptions = {},
): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const row = await tx.db.maybe<Fresh>(sql`
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
    if (!row) throw new NotFound()
    if (row.id === null) return false
    if (row.local) await indexKept(tx, accountId, statusId)
    if (approval !== null) {
      await federate(tx, { activity: 'request', interaction: 'like', accountId, id: row.id })
      return true
    }
    await notify(tx, { type: 'favourite', fromAccountId: accountId, statusId, to: 'author' })
    if (row.local && row.author_domain !== null)
      await federate(tx, { activity: 'like', accountId, statusId, favouriteId: row.id })
    return true
  })
}

/** The id of an account's favourite of a status, or null. */
export async function findFavourite(ctx: Context, accountId: string, statusId: string): Promise<string | null> {
  const row = await ctx.db.maybe<{ id: string }>(
    sql`select id from favourites where account_id = ${accountId} and status_id = ${statusId}`,
  )
  return row?.id ?? null
}

type Gone = {
  id: string
  author_id: string
  author_domain: string | null
  username: string
  uri: string | null
  local: boolean
}

/** Takes a favourite back. Gives whether there was one. */
export async function unfavourite(ctx: Context, accountId: string, statusId: string): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const row = await tx.db.maybe<Gone>(sql`
      with gone as (
        delete from favourites where account_id = ${accountId} and status_id = ${statusId} returning id, status_id, approval
      ), counted as (
        update status_stats t set favourites_count = greatest(t.favourites_count - 1, 0) from gone where t.status_id = gone.status_id and gone.approval is null
      )
      select gone.id, s.account_id as author_id, author.domain as author_domain, author.username, s.uri, me.domain is null as local
      from gone join statuses s on s.id = gone.status_id join accounts author on author.id = s.account_id join accounts me on me.id = ${accountId}`)
    if (!row) return false
    if (row.local) await unindexKept(tx, accountId, statusId)
    await unnotify(tx, { type: 'favourite', fromAccountId: accountId, statusId })
    if (row.local && row.author_domain !== null) {
      const originalUri = row.uri ?? statusUri(tx, row.username, statusId)
      await federate(tx, {
        activity: 'like',
        undo: true,
        accountId,
        favouriteId: row.id,
        originalUri,
        to: [row.author_id],
      })
    }
    return true
  })
}
