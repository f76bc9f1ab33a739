import type { Context } from '../../context.ts'
import { nothing, sql, type Sql } from '../../db/sql.ts'
import { accountsWithCopies } from '../../domain/statuses/audience.ts'

export type DeliveryRecipients = {
  followersOf?: readonly string[]
  /** Accounts, of which the remote ones receive the activity. */
  accountIds?: readonly string[]
  /**
   * For an activity about these accounts: they receive it in their own inboxes. A shared one is for what followers or everyone
   * may read (ActivityPub 7.1.3), and Libervia refuses a Follow or Accept there.
   */
  inOwnInboxes?: boolean
  /** Accounts that interacted with this public status, or follow an account that shared it: their servers may have a copy. */
  copiesOf?: string
  /** Every known server, for the Delete of an account. */
  allServers?: boolean
  /** The relays that accepted this server. */
  relays?: boolean
  inboxes?: readonly string[]
  /** Suspended accounts too: their servers must learn that a follow ended. */
  evenSuspended?: boolean
  /** Servers that have failed for a week too: the user may know that they are back. */
  evenFailing?: boolean
}

const sharedOrOwn = sql`coalesce(a.shared_inbox_url, a.inbox_url)`

/**
 * The inboxes of recipients, with the shared inbox of each server once. Excludes suspended accounts unless asked for, servers to
 * which an administrator stopped deliveries, and servers that have failed for a week, except when their next retry is due or when
 * asked for.
 */
export async function inboxesOf(ctx: Context, to: DeliveryRecipients): Promise<string[]> {
  const rows = await ctx.db.many<{ inbox: string }>(sql`
    with found as (
      select distinct ${to.inOwnInboxes ? sql`a.inbox_url` : sharedOrOwn} as inbox from accounts a where ${isAmong(to)}
      union select given from unnest(${to.inboxes ?? []}::text[]) given
      ${to.relays ? sql`union select inbox_url from relays where state = 'accepted'` : nothing})
    select inbox from found where not exists (
      select from peers p where p.domain = lower(split_part(inbox, '/', 3))
        and (p.stopped_at is not null
          or (not ${to.evenFailing ?? false} and p.failing_since < now() - interval '7 days' and p.retry_at > now())))`)
  return rows.map(({ inbox }) => inbox)
}

export async function isInboxOf(ctx: Context, inbox: string, to: DeliveryRecipients): Promise<boolean> {
  const found = await ctx.db.maybe(sql`
    select from accounts a where ${sharedOrOwn} = ${inbox} and ${isAmong(to)} limit 1`)
  return found !== null
}

/** Looks accounts up by id, as every post asks for them: a condition with `or` would read all accounts. */
const isAmong = (to: DeliveryRecipients): Sql => sql`
  a.domain is not null and (${to.evenSuspended ?? false} or a.suspended_at is null) and a.inbox_url is not null
    ${to.allServers ? nothing : sql`and a.id in (${accountsAmong(to)})`}`

const accountsAmong = (to: DeliveryRecipients): Sql => sql`
  select unnest(${to.accountIds ?? []}::bigint[])
  union select account_id from follows where target_account_id = any(${to.followersOf ?? []}::bigint[])
  ${to.copiesOf === undefined ? nothing : sql`union (${accountsWithCopies(to.copiesOf)})`}`
