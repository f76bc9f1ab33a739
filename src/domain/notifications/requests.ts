import type { Context } from '../../context.ts'
import { type Pagination, newestFirst, onPage } from '../../db/page.ts'
import type { NotificationRequests } from '../../db/schema.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { acceptsDomain, notHiddenInNotifications } from '../relationships/hidden.ts'
import { visibleTo } from '../statuses/visibility.ts'
import type { Recipient } from './list.ts'
import { BUCKET_SECONDS, GROUPED_TYPES } from './types.ts'

/** The highest `notifications_count`. */
const MAX_COUNTED = 100

export type RequestRow = Omit<NotificationRequests, 'account_id'> & {
  notifications_count: number
  last_status_id: string | null
}

export async function listNotificationRequests(ctx: Context, me: Recipient, page: Pagination): Promise<RequestRow[]> {
  const rows = await ctx.db.many<RequestRow>(sql`${requestsOf(me)} and ${onPage(sql`q.id`, page)}`)
  return newestFirst(rows, page)
}

export async function findRequest(ctx: Context, me: Recipient, id: string): Promise<RequestRow | null> {
  return ctx.db.maybe<RequestRow>(sql`${requestsOf(me)} and q.id = ${id}`)
}

/** Requests `q` of the recipient, by senders whose notifications the recipient sees; empty ones too. */
export const shownRequests = (me: string): Sql => sql`
  notification_requests q join accounts fa on q.account_id = ${me} and fa.id = q.from_account_id and fa.suspended_at is null
    and ${notHiddenInNotifications(sql`fa.id`, me)} and ${acceptsDomain(sql`fa.id`, sql`fa.domain`, me)}`

/** Notifications `n` that the request `q` holds, about statuses that the recipient may see, with the status `s` if there is one. */
const heldBy = (me: Recipient): Sql => sql`
  notifications n left join statuses s on s.id = n.status_id left join accounts a on a.id = s.account_id
  where n.account_id = q.account_id and n.from_account_id = q.from_account_id and n.filtered and (n.status_id is null or ${visibleTo(me)})`

/** `held.count` of the request `q`: as many notifications as lists show, MAX_COUNTED at most. */
export const countHeld = (me: Recipient): Sql => sql`
  lateral (select count(*)::int from (select from ${heldBy(me)} limit ${MAX_COUNTED}::int) counted) held`

function requestsOf(me: Recipient): Sql {
  return sql`
    select q.id, q.from_account_id, q.created_at, q.updated_at, held.count as notifications_count,
      (select n.status_id from ${heldBy(me)} and n.status_id is not null order by n.id desc limit 1) as last_status_id
    from ${shownRequests(me.accountId)} cross join ${countHeld(me)}
    where held.count > 0`
}

/**
 * Later notifications of the senders are not filtered; held ones wait for `mergeRequests`. Returns the number of
 * requests; ignores those of other accounts.
 */
export async function markRequestsAccepted(tx: Context, accountId: string, ids: readonly string[]): Promise<number> {
  const accepted = await tx.db.many(sql`
    with accepted as (
      delete from notification_requests where account_id = ${accountId} and id = any(${ids}::bigint[]) returning account_id, from_account_id
    ), allowed as (
      insert into notification_permissions (account_id, from_account_id) select account_id, from_account_id from accepted on conflict do nothing
    ), merging as (
      insert into notification_merges (account_id, from_account_id) select account_id, from_account_id from accepted on conflict do nothing
    )
    select from accepted`)
  return accepted.length
}

/** Also deletes the notifications that they hold. Returns the number of requests; ignores those of other accounts. */
export const dismissRequests = (ctx: Context, accountId: string, ids: readonly string[]): Promise<number> =>
  ctx.transaction(async (tx) => {
    const own = sql`account_id = ${accountId} and id = any(${ids}::bigint[])`
    // Locked in a statement of its own, so that the next one sees notifications that another transaction was adding.
    await tx.db.run(sql`select from notification_requests where ${own} order by id for update`)
    const { count } = await tx.db.one<{ count: number }>(sql`
      with dismissed as (delete from notification_requests where ${own} returning from_account_id), cleared as (
        delete from notifications n using dismissed d where n.account_id = ${accountId} and n.from_account_id = d.from_account_id and n.filtered
      )
      select count(*)::int from dismissed`)
    return count
  })

export async function isMerged(ctx: Context, accountId: string): Promise<boolean> {
  const { merged } = await ctx.db.one<{ merged: boolean }>(
    sql`select not exists (select from notification_merges where account_id = ${accountId}) as merged`,
  )
  return merged
}

/**
 * Shows the held notifications of accepted senders. Returns the number of senders, and the statuses that mention the
 * recipient.
 */
export function mergeRequests(tx: Context, accountId: string): Promise<{ merged: number; mentions: string[] }> {
  return tx.db.one<{ merged: number; mentions: string[] }>(sql`
    with merging as (delete from notification_merges where account_id = ${accountId} returning from_account_id),
      shown as (
        update notifications n
        set filtered = false, group_key = case when n.type = any(${GROUPED_TYPES}::text[])
          then concat_ws('-', n.type, n.status_id, floor(extract(epoch from n.created_at) / ${BUCKET_SECONDS}::int)::bigint) end
        from merging m where n.account_id = ${accountId} and n.from_account_id = m.from_account_id and n.filtered
        returning n.type, n.status_id
      )
    select (select count(*)::int from merging) as merged, array(select status_id::text from shown where type = 'mention') as mentions`)
}

/** Lists leave these requests out already. */
export async function deleteEmptyRequests(ctx: Context): Promise<void> {
  await ctx.db.run(sql`
    delete from notification_requests q
    where q.updated_at < now() - interval '1 hour' and not exists (
      select from notifications n where n.account_id = q.account_id and n.from_account_id = q.from_account_id and n.filtered)`)
}
