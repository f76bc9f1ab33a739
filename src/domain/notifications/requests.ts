import type { Context } from '../../context.ts'
import { newestFirst, ordered, within, type Page } from '../../db/page.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { visibleTo } from '../statuses/visibility.ts'
import type { Recipient } from './list.ts'
import { BUCKET_SECONDS, GROUPED } from './types.ts'

/** Beyond this, nobody wants to know how many there are. */
const MOST_COUNTED = 100

export type RequestRow = {
  id: string
  from_account_id: string
  notifications_count: number
  last_status_id: string | null
  created_at: Date
  updated_at: Date
}

/** A page of those whose notifications were held back, newest first. */
export async function listRequests(ctx: Context, me: Recipient, page: Page): Promise<RequestRow[]> {
  const rows = await ctx.db.many<RequestRow>(
    sql`${requestsOf(me)} and ${within(sql`q.id`, page)} ${ordered(sql`q.id`, page)}`,
  )
  return newestFirst(rows, page)
}

/** One of somebody's requests, or null. */
export async function findRequest(ctx: Context, me: Recipient, id: string): Promise<RequestRow | null> {
  return ctx.db.maybe<RequestRow>(sql`${requestsOf(me)} and q.id = ${id}`)
}

function requestsOf(me: Recipient): Sql {
  return sql`
    select q.id, q.from_account_id, q.created_at, q.updated_at, held.count as notifications_count,
      (select n.status_id from notifications n join statuses s on s.id = n.status_id join accounts a on a.id = s.account_id
        where n.account_id = q.account_id and n.from_account_id = q.from_account_id and n.filtered and ${visibleTo(me)}
        order by n.id desc limit 1) as last_status_id
    from notification_requests q
    join accounts fa on fa.id = q.from_account_id and fa.suspended_at is null
    cross join lateral (
      select count(*)::int from (
        select from notifications n where n.account_id = q.account_id and n.from_account_id = q.from_account_id and n.filtered
        limit ${MOST_COUNTED}::int) counted) held
    where q.account_id = ${me.accountId} and held.count > 0`
}

/**
 * Accepts requests: their senders are let through from now on, and what was held back is put among the other notifications, by
 * a job. Gives how many there were; those of others are left out.
 */
export async function acceptRequests(ctx: Context, accountId: string, ids: readonly string[]): Promise<number> {
  return ctx.transaction(async (tx) => {
    const accepted = await tx.db.many(sql`
      with accepted as (
        delete from notification_requests where account_id = ${accountId} and id = any(${ids}::bigint[]) returning account_id, from_account_id
      ), allowed as (
        insert into notification_permissions (account_id, from_account_id) select account_id, from_account_id from accepted on conflict do nothing
      ), merging as (
        insert into notification_merges (account_id, from_account_id) select account_id, from_account_id from accepted on conflict do nothing
      )
      select from accepted`)
    if (accepted.length > 0) await tx.enqueue('notifications.merge', { accountId })
    return accepted.length
  })
}

/** Dismisses requests, with what was held back. Gives how many there were; those of others are left out. */
export async function dismissRequests(ctx: Context, accountId: string, ids: readonly string[]): Promise<number> {
  const { count } = await ctx.db.one<{ count: number }>(sql`
    with dismissed as (
      delete from notification_requests where account_id = ${accountId} and id = any(${ids}::bigint[]) returning from_account_id
    ), cleared as (
      delete from notifications n using dismissed d where n.account_id = ${accountId} and n.from_account_id = d.from_account_id and n.filtered
    )
    select count(*)::int from dismissed`)
  return count
}

/** Whether everything that was accepted is among the other notifications by now. */
export async function isMerged(ctx: Context, accountId: string): Promise<boolean> {
  const { merged } = await ctx.db.one<{ merged: boolean }>(
    sql`select not exists (select from notification_merges where account_id = ${accountId}) as merged`,
  )
  return merged
}

/**
 * Shows what was held back of those who were accepted, and tells the recipient's clients. Gives the posts that mention the
 * recipient among it.
 */
export async function mergeRequests(tx: Context, accountId: string): Promise<string[]> {
  const { merged, mentions } = await tx.db.one<{ merged: number; mentions: string[] }>(sql`
    with merging as (delete from notification_merges where account_id = ${accountId} returning from_account_id),
      shown as (
        update notifications n
        set filtered = false, group_key = case when n.type = any(${GROUPED}::text[])
          then concat_ws('-', n.type, n.status_id, floor(extract(epoch from n.created_at) / ${BUCKET_SECONDS}::int)::bigint) end
        from merging m where n.account_id = ${accountId} and n.from_account_id = m.from_account_id and n.filtered
        returning n.type, n.status_id
      )
    select (select count(*)::int from merging) as merged, array(select status_id::text from shown where type = 'mention') as mentions`)
  if (merged > 0) tx.publish({ type: 'notifications.merged', accountId })
  return mentions
}

/** Removes requests of which nothing is left. They are not shown any more; this only tidies up. */
export async function deleteEmptyRequests(ctx: Context): Promise<void> {
  await ctx.db.run(sql`
    delete from notification_requests q
    where q.updated_at < now() - interval '1 hour' and not exists (
      select from notifications n where n.account_id = q.account_id and n.from_account_id = q.from_account_id and n.filtered)`)
}
