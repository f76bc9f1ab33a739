import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import type { Accounts, Follows } from '../../db/schema.ts'
import { unendorse } from './endorse.ts'
import { hasBlockBetween, hasBlockedDomain } from './hidden.ts'

/** The follower and the followed account. */
export type FollowAccounts = Pick<Follows, 'account_id' | 'target_account_id'>
type AnsweredRequest = FollowAccounts & Pick<Follows, 'uri'> & { domain: string | null }

/** An absent option keeps its value; a new follow gets the default. */
export type FollowOptions = {
  reblogs?: boolean
  /** A notification for each post. */
  notify?: boolean
  /** Only posts in these languages; null for all. */
  languages?: string[] | null
  /** The id of the Follow activity of a remote follower. */
  uri?: string | null
}

/** Whether a follow waits for the target's consent. Other servers decide for their accounts. */
export const needsRequest = (target: Pick<Accounts, 'domain' | 'locked'>, isFollowerLimited: boolean): boolean =>
  target.domain !== null || target.locked || isFollowerLimited

type FollowTable = 'follows' | 'follow_requests'

const tables: Record<FollowTable, Sql> = { follows: sql`follows`, follow_requests: sql`follow_requests` }

/** Null without a follow. */
export const findFollowOptions = (
  tx: Context,
  accountId: string,
  targetAccountId: string,
): Promise<Required<FollowOptions> | null> =>
  tx.db.maybe<Required<FollowOptions>>(sql`
    select show_reblogs as reblogs, notify, languages, uri from follows where account_id = ${accountId} and target_account_id = ${targetAccountId}`)

/** Counts a follow, but not a follow request. Returns the id. */
export async function insertFollow(
  tx: Context,
  table: FollowTable,
  accounts: FollowAccounts,
  options: FollowOptions,
): Promise<string> {
  const { id } = await tx.db.one<{ id: string }>(sql`
    insert into ${tables[table]} (account_id, target_account_id, show_reblogs, notify, languages, uri)
    values (${accounts.account_id}, ${accounts.target_account_id}, ${options.reblogs ?? true}, ${options.notify ?? false},
      ${nullIfEmpty(options.languages)}::text[], ${options.uri ?? null})
    returning id`)
  if (table === 'follows') await countFollows(tx, [accounts])
  return id
}

export async function changeFollowOptions(
  tx: Context,
  table: FollowTable,
  id: string,
  options: FollowOptions,
): Promise<void> {
  await tx.db.run(sql`
    update ${tables[table]} set show_reblogs = coalesce(${options.reblogs ?? null}::boolean, show_reblogs), notify = coalesce(${options.notify ?? null}::boolean, notify),
      languages = case when ${options.languages !== undefined} then ${nullIfEmpty(options.languages)}::text[] else languages end, uri = coalesce(${options.uri ?? null}, uri)
    where id = ${id}`)
}

/** An empty choice of languages means all of them. */
const nullIfEmpty = (languages: string[] | null | undefined): string[] | null =>
  languages && languages.length > 0 ? languages : null

/**
 * Also counts the new follows. `not-limited` accepts all requests except those of limited or suspended accounts.
 */
export async function acceptFollowRequests(
  tx: Context,
  accountId: string,
  from: { followerId: string } | 'not-limited',
): Promise<AnsweredRequest[]> {
  const chosen =
    from === 'not-limited'
      ? sql`a.silenced_at is null and a.suspended_at is null`
      : sql`r.account_id = ${from.followerId}`
  const accepted = await tx.db.many<AnsweredRequest>(sql`
    with accepted as (
      delete from follow_requests r using accounts a where r.target_account_id = ${accountId} and a.id = r.account_id and ${chosen}
      returning r.id, r.account_id, r.target_account_id, r.show_reblogs, r.notify, r.languages, r.uri, a.domain
    ), made as (
      insert into follows (id, account_id, target_account_id, show_reblogs, notify, languages, uri)
      select id, account_id, target_account_id, show_reblogs, notify, languages, uri from accepted order by id
      on conflict do nothing returning account_id
    )
    select account_id, target_account_id, uri, domain from accepted join made using (account_id)`)
  await countFollows(tx, accepted)
  return accepted
}

export type DeletedFollow = FollowAccounts & Pick<Follows, 'id' | 'uri'> & { accepted: boolean }

/** Also deletes the endorsement. Null when there is neither a follow nor a request. Call it under lockRelationship. */
export async function deleteFollow(
  tx: Context,
  accountId: string,
  targetAccountId: string,
): Promise<DeletedFollow | null> {
  const between = sql`account_id = ${accountId} and target_account_id = ${targetAccountId}`
  const { requests, follows } = await deleteBoth(tx, () => between)
  if (follows.length > 0) await unendorse(tx, accountId, [targetAccountId])
  return follows[0] ?? requests[0] ?? null
}

/** In both directions. Also deletes the account's endorsements of the accounts on the domain. */
export async function deleteFollowsWithDomain(
  tx: Context,
  accountId: string,
  domain: string,
): Promise<DeletedFollow[]> {
  const between = (table: FollowTable): Sql => sql`id in (
    select t.id from ${tables[table]} t join accounts a on a.id = t.target_account_id where t.account_id = ${accountId} and a.domain = ${domain}
    union all select t.id from ${tables[table]} t join accounts a on a.id = t.account_id where t.target_account_id = ${accountId} and a.domain = ${domain})`
  const { requests, follows } = await deleteBoth(tx, between)
  const followed = follows.filter((row) => row.account_id === accountId).map((row) => row.target_account_id)
  await unendorse(tx, accountId, followed)
  return [...requests, ...follows]
}

async function deleteBoth(
  tx: Context,
  where: (table: FollowTable) => Sql,
): Promise<{ requests: DeletedFollow[]; follows: DeletedFollow[] }> {
  // Requests first, in their own statement: those that are being accepted at this moment are then found as follows.
  const requests = await tx.db.many<DeletedFollow>(sql`
    delete from follow_requests where ${where('follow_requests')} returning id, account_id, target_account_id, uri, false as accepted`)
  const follows = await tx.db.many<DeletedFollow>(sql`
    delete from follows where ${where('follows')} returning id, account_id, target_account_id, uri, true as accepted`)
  await uncountFollows(tx, follows)
  return { requests, follows }
}

/** With `follow_requests`: whether the account has asked to follow the target. */
export async function isFollowing(
  ctx: Context,
  accountId: string,
  targetAccountId: string,
  table: FollowTable = 'follows',
): Promise<boolean> {
  const row = await ctx.db.maybe(
    sql`select from ${tables[table]} where account_id = ${accountId} and target_account_id = ${targetAccountId}`,
  )
  return row !== null
}

/** `follows`: whether the account follows the other one; `followed`: the other way round. */
export const followColumns = (account: string | Sql, other: string | Sql): Sql => sql`
  exists (select from follows where account_id = ${account} and target_account_id = ${other}) as follows,
  exists (select from follows where account_id = ${other} and target_account_id = ${account}) as followed`

/**
 * Call it after the follows are inserted. Rows are locked in the order of their ids, so that two transactions cannot
 * deadlock.
 */
export async function countFollows(tx: Context, follows: readonly FollowAccounts[]): Promise<void> {
  if (follows.length === 0) return
  await tx.db.run(sql`
    insert into account_stats as st (account_id, following_count, followers_count)
    select id, following, followers from (${changesPerAccount(follows)}) changes order by id
    on conflict (account_id) do update
    set following_count = st.following_count + excluded.following_count, followers_count = st.followers_count + excluded.followers_count`)
}

/** Call it after the follows are deleted. Locks rows as countFollows does. */
export async function uncountFollows(tx: Context, follows: readonly FollowAccounts[]): Promise<void> {
  if (follows.length === 0) return
  await tx.db.run(sql`
    update account_stats st
    set following_count = greatest(0, st.following_count - changes.following), followers_count = greatest(0, st.followers_count - changes.followers)
    from (${changesPerAccount(follows)}) changes
    where st.account_id = changes.id and st.account_id in (
      select account_id from account_stats where account_id = any(${[...new Set(follows.flatMap((row) => [row.account_id, row.target_account_id]))]}::bigint[])
      order by account_id for update)`)
}

const changesPerAccount = (follows: readonly FollowAccounts[]): Sql => sql`
  select id, sum(following)::int as following, sum(followers)::int as followers
  from (
    select account_id as id, 1 as following, 0 as followers from unnest(${follows.map((row) => row.account_id)}::bigint[]) as a (account_id)
    union all
    select target_account_id, 0, 1 from unnest(${follows.map((row) => row.target_account_id)}::bigint[]) as t (target_account_id)
  ) sides group by id`

export type FollowState = {
  account_id: string
  account_domain: string | null
  account_silenced: boolean
  account_moved: boolean
  account_suspended: boolean
  following_count: number
  followers_count: number
  target_id: string
  target_domain: string | null
  target_locked: boolean
  target_suspended: boolean
  target_moved: boolean
  target_memorial: boolean
  /** Either account blocks the other, or the other's domain. */
  blocked: boolean
  follow_id: string | null
  request_id: string | null
}

/**
 * Needs a transaction: until it ends, neither account is deleted, and the target's `locked` does not change. Null when
 * one of them does not exist.
 */
export function readFollowState(tx: Context, accountId: string, targetAccountId: string): Promise<FollowState | null> {
  return tx.db.maybe<FollowState>(sql`
    select a.id as account_id, a.domain as account_domain, a.silenced_at is not null as account_silenced, a.moved_to_id is not null as account_moved,
      a.suspended_at is not null as account_suspended,
      coalesce(ast.following_count, 0) as following_count, coalesce(ast.followers_count, 0) as followers_count,
      t.id as target_id, t.domain as target_domain, t.locked as target_locked, t.suspended_at is not null as target_suspended,
      t.moved_to_id is not null as target_moved, t.memorial as target_memorial, f.id as follow_id, r.id as request_id,
      ${hasBlockBetween(sql`a.id`, sql`t.id`)} or ${hasBlockedDomain(sql`a.id`, sql`t.domain`)} or ${hasBlockedDomain(sql`t.id`, sql`a.domain`)} as blocked
    from accounts a
    join accounts t on t.id = ${targetAccountId}
    left join account_stats ast on ast.account_id = a.id
    left join follows f on f.account_id = a.id and f.target_account_id = t.id
    left join follow_requests r on r.account_id = a.id and r.target_account_id = t.id
    where a.id = ${accountId} for key share of a for share of t`)
}

/** Whether the first account is local and the second remote: only then is a change sent to the remote server. */
export async function isLocalToRemote(tx: Context, accountId: string, targetAccountId: string): Promise<boolean> {
  const remote = await tx.db.maybe(sql`
    select from accounts a join accounts t on t.id = ${targetAccountId} and t.domain is not null
    where a.id = ${accountId} and a.domain is null`)
  return remote !== null
}

/** `target` is an account (follow, block) or a status (favourite, reblog). */
export type UndoableActivity = { kind: 'follow' | 'block' | 'favourite' | 'reblog'; target: string }

export async function findUndoableActivity(
  ctx: Context,
  accountId: string,
  uri: string,
): Promise<UndoableActivity | null> {
  return ctx.db.maybe<UndoableActivity>(sql`
    select 'follow' as kind, target_account_id as target from follows where account_id = ${accountId} and uri = ${uri}
    union all select 'follow', target_account_id from follow_requests where account_id = ${accountId} and uri = ${uri}
    union all select 'block', target_account_id from blocks where account_id = ${accountId} and uri = ${uri}
    union all select 'favourite', status_id from favourites where account_id = ${accountId} and uri = ${uri}
    union all select 'reblog', reblog_of_id from statuses where account_id = ${accountId} and uri = ${uri} and reblog_of_id is not null`)
}
