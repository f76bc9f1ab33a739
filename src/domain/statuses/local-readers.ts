// Local accounts in whose name this server can request a remote post that is not public.
import type { Activity } from '../../ap/activity.ts'
import { visibilityOf } from '../../ap/audience.ts'
import { isSameHost } from '../../ap/normalise.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import type { AccountRow } from '../accounts/find.ts'
import { isAtOrigin } from '../accounts/remote.ts'
import { findAccountsByAddress, localAddresses } from './mentions.ts'
import { isPublicOrUnlisted, isPublicOrUnlistedSql } from './visibility.ts'

/** A local account that may read a stored remote status. Null if it is public or unlisted, or no local account may read it. */
export async function findLocalReader(ctx: Context, statusId: string): Promise<string | null> {
  const found = await ctx.db.maybe<{ id: string }>(sql`
    select a.id from statuses s cross join lateral (
      select m.account_id from mentions m where m.status_id = s.id
      union all select f.account_id from follows f where f.target_account_id = s.account_id and s.visibility = 'private'
    ) reader join accounts a on a.id = reader.account_id and a.domain is null and a.suspended_at is null
    where s.id = ${statusId} and not ${isPublicOrUnlistedSql(sql`s.visibility`)} limit 1`)
  return found?.id ?? null
}

/**
 * A local account that may read an object on the host of `author`, by the recipients of the object or its boost. Null if it is
 * public or unlisted, or no local account may read it.
 */
export async function findLocalRecipient(
  ctx: Context,
  author: AccountRow,
  uri: string,
  { to, cc, hiddenRecipients }: Pick<Activity, 'to' | 'cc' | 'hiddenRecipients'>,
): Promise<string | null> {
  if (!isSameHost(uri, author.uri ?? '')) return null
  const visibility = visibilityOf(to, [...cc, ...hiddenRecipients], author.followers_url)
  if (isPublicOrUnlisted(visibility)) return null
  const [addressed] = (
    await findAccountsByAddress(ctx, localAddresses(ctx, [...to, ...cc, ...hiddenRecipients]))
  ).values()
  if (addressed !== undefined || visibility === 'direct') return addressed ?? null
  return findLocalFollower(ctx, author.id)
}

export async function findLocalFollower(ctx: Context, accountId: string): Promise<string | null> {
  const follower = await ctx.db.maybe<{ id: string }>(sql`
    select a.id from follows f join accounts a on a.id = f.account_id and a.domain is null and a.suspended_at is null
    where f.target_account_id = ${accountId} limit 1`)
  return follower?.id ?? null
}

/**
 * Whether the account follows an account on the host of `url`. Only then may it sign a request for an address that another person
 * gave it, as the request tells that host who reads it.
 */
export async function followsOnHost(ctx: Context, accountId: string, url: string): Promise<boolean> {
  const origin = URL.parse(url)?.origin ?? ''
  return (
    (await ctx.db.maybe(sql`
      select from follows f join accounts a on a.id = f.target_account_id
      where f.account_id = ${accountId} and ${isAtOrigin(sql`a.uri`, origin)} limit 1`)) !== null
  )
}
