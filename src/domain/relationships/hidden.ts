// Which accounts are hidden from each other. Every condition on blocks, mutes and domain blocks is one of these SQL fragments, or
// the same rule in memory beside it.
import { allOf, nothing, sql, type Sql } from '../../db/sql.ts'

type Id = string | Sql

/** The table is `hm`. */
const isActive = sql`(hm.expires_at is null or hm.expires_at > now())`

export const hasBlocked = (by: Id, target: Id): Sql =>
  sql`exists (select from blocks hb where hb.account_id = ${by} and hb.target_account_id = ${target})`

export const hasBlockBetween = (a: Id, b: Id): Sql => sql`(${hasBlocked(a, b)} or ${hasBlocked(b, a)})`

const hasMuted = (by: Id, target: Id): Sql =>
  sql`exists (select from mutes hm where hm.account_id = ${by} and hm.target_account_id = ${target} and ${isActive})`

const hasMutedNotifications = (by: Id, target: Id): Sql => sql`exists (
  select from mutes hm where hm.account_id = ${by} and hm.target_account_id = ${target} and hm.hide_notifications and ${isActive})`

/** Unix time in ms, 0 without a mute, Infinity for one without end. */
export const mutedUntil = (by: Id, target: Id): Sql => sql`coalesce((
  select case when hm.expires_at is null then 'Infinity'::float8 else extract(epoch from hm.expires_at)::float8 * 1000 end
  from mutes hm where hm.account_id = ${by} and hm.target_account_id = ${target}), 0)`

/** Null without a mute. */
export const hidesNotifications = (by: Id, target: Id): Sql => sql`(
  select hm.hide_notifications from mutes hm where hm.account_id = ${by} and hm.target_account_id = ${target})`

export const activeMutesOf = (by: Id): Sql => sql`
  select hm.id, hm.target_account_id, hm.hide_notifications, hm.expires_at from mutes hm where hm.account_id = ${by} and ${isActive}`

export const activeMutesAgainst = (target: Id): Sql => sql`
  select hm.account_id, hm.target_account_id, hm.hide_notifications, hm.expires_at from mutes hm where hm.target_account_id = ${target} and ${isActive}`

export const hasBlockedDomain = (by: Id, domain: Id): Sql =>
  sql`exists (select from account_domain_blocks hd where hd.account_id = ${by} and hd.domain = ${domain})`

/** `accountIds` is a bigint[]. */
export const hasBlockedDomainOf = (by: Id, accountIds: Sql): Sql => sql`exists (
  select from account_domain_blocks hd join accounts ha on ha.domain = hd.domain where hd.account_id = ${by} and ha.id = any(${accountIds}))`

/** Whether `by` blocks the account or its domain. */
export const hasBlockedWithDomain = (by: Id, accountId: string): Sql =>
  sql`(${hasBlocked(by, accountId)} or ${hasBlockedDomainOf(by, sql`array[${accountId}::bigint]`)})`

/** Hosts of handles and of ids both count. */
export const hasBlockedAccountOf = (by: Id, host: string): Sql => sql`exists (
  select from blocks hb join accounts ha on ha.id = hb.target_account_id
  where hb.account_id = ${by} and ${host} in (ha.domain, split_part(ha.uri, '/', 3)))`

/** Whether the account `id` of `domain` blocks `me`, is blocked or muted by `me`, or is on a domain that `me` blocks. */
export const isHiddenFrom = (id: Sql, domain: Sql, me: Id): Sql => sql`(${hasBlocked(me, id)}
    or ${hasBlocked(id, me)}
    or ${hasMuted(me, id)}
    or ${hasBlockedDomain(me, domain)})`

/** As isHiddenFrom, in memory. */
export const isHiddenBy = ({ blocks, blocked_by, blocks_domain, muted_until }: Hiding): boolean =>
  blocks || blocked_by || blocks_domain || muted_until > Date.now()

type Hiding = { blocks: boolean; blocked_by: boolean; blocks_domain: boolean; muted_until: number }

/** As notHiddenInNotifications and acceptsDomain, in memory. */
export function acceptsNotificationsFrom(
  relationship: Hiding & { follows: boolean; mutes_notifications: boolean },
): boolean {
  const { blocks, blocked_by, blocks_domain, follows, mutes_notifications, muted_until } = relationship
  if (blocks || blocked_by || (blocks_domain && !follows)) return false
  return !mutes_notifications || muted_until <= Date.now()
}

/**
 * Whether lists of accounts show the account `a` to the viewer. Suspended accounts are hidden from everyone else; the viewer's
 * own account always shows.
 */
export function notHiddenFrom(viewer: { accountId: string } | null): Sql {
  if (!viewer) return sql`a.suspended_at is null`
  const me = viewer.accountId
  return sql`(a.id = ${me} or (a.suspended_at is null and not ${isHiddenFrom(sql`a.id`, sql`a.domain`, me)}))`
}

/**
 * Whether timelines and the directory show the account `a`, or its posts, to `me`; their own always show. The same rule as
 * isHiddenFrom, as lists that PostgreSQL reads once per statement, for statements that test many rows.
 */
export const notHiddenInTimelines = (me: string): Sql => sql`(a.id = ${me} or (
  a.id not in (
    ${blockedEitherWay(me)}
    union all select hm.target_account_id from mutes hm where hm.account_id = ${me} and ${isActive})
  and (a.domain is null or a.domain not in (${blockedDomains(me)}))))`

/** Whether `me` shows notifications from the account `id`: no blocks between them, and no mute that includes notifications. */
export const notHiddenInNotifications = (id: Sql, me: string): Sql => sql`${id} not in (
  ${blockedEitherWay(me)}
  union all select hm.target_account_id from mutes hm where hm.account_id = ${me} and hm.hide_notifications and ${isActive})`

const blockedEitherWay = (me: string): Sql => sql`
  select hb.target_account_id from blocks hb where hb.account_id = ${me}
  union all select hb.account_id from blocks hb where hb.target_account_id = ${me}`

/**
 * Whether `me` follows the account `id` or does not block its domain: a follow outranks the block where notifications are
 * concerned.
 */
export const acceptsDomain = (id: Sql, domain: Sql, me: string): Sql => sql`
  (${domain} is null or ${domain} not in (${blockedDomains(me)})
    or exists (select from follows hf where hf.account_id = ${me} and hf.target_account_id = ${id}))`

const blockedDomains = (me: string): Sql =>
  sql`select hd.domain from account_domain_blocks hd where hd.account_id = ${me}`

type NotificationConditions = { fromLocal: boolean; mentionedIn: string | null }

/**
 * Whether the account `r.account_id` accepts notifications from the account `fa`. `fromLocal`: no domain block can hide `fa`.
 * `mentionedIn`: the status, for a mention.
 */
export const acceptsNotifications = ({ fromLocal, mentionedIn }: NotificationConditions): Sql => sql`
  not ${hasBlockBetween(sql`r.account_id`, sql`fa.id`)}
  and not ${hasMutedNotifications(sql`r.account_id`, sql`fa.id`)}
  ${mentionedIn === null ? nothing : sql`and ${acceptsMention(mentionedIn)}`}
  ${
    fromLocal
      ? nothing
      : sql`and (fa.domain is null
    or not ${hasBlockedDomain(sql`r.account_id`, sql`fa.domain`)}
    or exists (select from follows f where f.account_id = r.account_id and f.target_account_id = fa.id))`
  }`

/** Whether `r.account_id` hides none of the accounts that a status replies to or mentions; as in Mastodon. */
const acceptsMention = (statusId: string): Sql => sql`not exists (
  select from (
    select account_id from mentions where status_id = ${statusId}
    union all select in_reply_to_account_id from statuses where id = ${statusId}) named
  where ${hasBlocked(sql`r.account_id`, sql`named.account_id`)} or ${hasMutedNotifications(sql`r.account_id`, sql`named.account_id`)})`

/** Arrays about a post: bigint[] of its authors and of the accounts that it mentions, text[] of the authors' domains. */
type Participants = { authors: Sql; mentioned: Sql; domains: Sql }

/**
 * Whether the account `me` hides no participant of a post. Feeds also leave out posts that mention an account that `me` blocks.
 */
export const hidesNoParticipant = (me: Sql, post: Participants): Sql =>
  allOf([
    sql`not exists (
      select from blocks hb where hb.account_id = ${me} and hb.target_account_id = any(${post.authors} || ${post.mentioned}))`,
    sql`not exists (select from blocks hb where hb.target_account_id = ${me} and hb.account_id = any(${post.authors}))`,
    sql`not exists (
      select from mutes hm where hm.account_id = ${me} and hm.target_account_id = any(${post.authors}) and ${isActive})`,
    sql`not exists (select from account_domain_blocks hd where hd.account_id = ${me} and hd.domain = any(${post.domains}))`,
  ])

/** Statement: `account_id` of the accounts that hide a participant of a post. The same rule as hidesNoParticipant. */
export const accountsHidingParticipant = (post: Participants): Sql => sql`
  select hb.account_id from blocks hb where hb.target_account_id = any(${post.authors} || ${post.mentioned})
  union all select hb.target_account_id from blocks hb where hb.account_id = any(${post.authors})
  union all select hm.account_id from mutes hm where hm.target_account_id = any(${post.authors}) and ${isActive}
  union all select hd.account_id from account_domain_blocks hd where hd.domain = any(${post.domains})`
