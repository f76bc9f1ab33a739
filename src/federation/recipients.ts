import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'

export type Recipients = {
  /** The remote followers of these accounts. */
  followersOf?: readonly string[]
  /** These accounts, where they are remote. */
  accountIds?: readonly string[]
  /** Whoever took part in this status: boosted, favourited, answered or quoted it, or voted in its poll. */
  reachOf?: string
  /** Every server we know: for the end of an account. */
  everybody?: boolean
}

/**
 * The inboxes to deliver to, each server's shared one once. Suspended accounts are left out, and servers that have been silent
 * for a week: they are only tried now and then, unless they speak to us.
 */
export async function inboxesOf(ctx: Context, to: Recipients): Promise<string[]> {
  const rows = await ctx.db.many<{ inbox: string }>(sql`
    with found as (
    select distinct coalesce(a.shared_inbox_url, a.inbox_url) as inbox
    from accounts a
    where a.domain is not null and a.suspended_at is null and a.inbox_url is not null
      and (${to.everybody ?? false}
        or a.id = any(${to.accountIds ?? []}::bigint[])
        or a.id in (select account_id from follows where target_account_id = any(${to.followersOf ?? []}::bigint[]))
        or a.id in (
          select account_id from favourites where status_id = ${to.reachOf ?? null}::bigint
          union select account_id from statuses where reblog_of_id = ${to.reachOf ?? null}::bigint
          union select account_id from statuses where in_reply_to_id = ${to.reachOf ?? null}::bigint
          union select account_id from quotes where quoted_status_id = ${to.reachOf ?? null}::bigint
          union select v.account_id from polls p join poll_votes v on v.poll_id = p.id where p.status_id = ${to.reachOf ?? null}::bigint)))
    select inbox from found where not exists (
      select from peers p where p.domain = lower(split_part(inbox, '/', 3))
        and p.failing_since < now() - interval '7 days' and p.retry_at > now())`)
  return rows.map(({ inbox }) => inbox)
}
