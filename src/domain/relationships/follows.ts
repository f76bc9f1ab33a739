import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import type { Accounts, Follows } from '../../db/schema.ts'
import { unendorse } from './endorse.ts'

export type FollowEnds = Pick<Follows, 'account_id' | 'target_account_id'>
type AnsweredRequest = FollowEnds & Pick<Follows, 'uri'> & { domain: string | null }

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

/** Counts a follow, but not a follow request. Returns the id. */
export async function insertFollow(
  tx: Context,
  table: FollowTable,
  ends: FollowEnds,
  options: FollowOptions,
): Promise<string> {
  const { id } = await tx.db.one<{ id: string }>(sql`
    insert into ${tables[table]} (account_id, target_account_id, show_reblogs, notify, languages, uri)
    values (${ends.account_id}, ${ends.target_account_id}, ${options.reblogs ?? true}, ${options.notify ?? false},
      ${nullIfEmpty(options.languages)}::text[], ${options.uri ?? null})
    returning id`)
  if (table === 'follows') await countFollows(tx, [ends])
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
 * Also counts the new follows. `unlimited-accounts` accepts all requests except those of limited or suspended accounts.
 */
export async function acceptFollowRequests(
  tx: Context,
  accountId: string,
  from: { followerId: string } | 'unlimited-accounts',
): Promise<AnsweredRequest[]> {
  const chosen =
    from === 'unlimited-accounts'
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

export type DeletedFollow = Pick<Follows, 'id' | 'uri'> & { accepted: boolean }

/** Also deletes the endorsement. Null when there is neither a follow nor a request. Call it under lockRelationship. */
export async function deleteFollow(
  tx: Context,
  accountId: string,
  targetAccountId: string,
): Promise<DeletedFollow | null> {
  const between = sql`account_id = ${accountId} and target_account_id = ${targetAccountId}`
  // The request first, in its own statement: one that is being accepted at this moment is then found as a follow.
  const request = await tx.db.maybe<DeletedFollow>(
    sql`delete from follow_requests where ${between} returning id, uri, false as accepted`,
  )
  const follow = await tx.db.maybe<DeletedFollow>(
    sql`delete from follows where ${between} returning id, uri, true as accepted`,
  )
  if (follow) {
    await uncountFollows(tx, [{ account_id: accountId, target_account_id: targetAccountId }])
    await unendorse(tx, accountId, [targetAccountId])
  }
  return follow ?? request
}

export type FollowWithDomain = FollowEnds & DeletedFollow

/** In both directions. Also deletes the account's endorsements of the accounts on the domain. */
export async function deleteFollowsWithDomain(
  tx: Context,
  accountId: string,
  domain: string,
): Promise<FollowWithDomain[]> {
  const between = (table: FollowTable): Sql => sql`id in (
    select t.id from ${tables[table]} t join accounts a on a.id = t.target_account_id where t.account_id = ${accountId} and a.domain = ${domain}
    union all select t.id from ${tables[table]} t join accounts a on a.id = t.account_id where t.target_account_id = ${accountId} and a.domain = ${domain})`
  // Requests first, in their own statement: those that are being accepted at this moment are then found as follows.
  const requests = await tx.db.many<FollowWithDomain>(sql`
    delete from follow_requests where ${between('follow_requests')} returning id, account_id, target_account_id, uri, false as accepted`)
  const follows = await tx.db.many<FollowWithDomain>(sql`
    delete from follows where ${between('follows')} returning id, account_id, target_account_id, uri, true as accepted`)
  await uncountFollows(tx, follows)
  const followed = follows.filter((row) => row.account_id === accountId).map((row) => row.target_account_id)
  await unendorse(tx, accountId, followed)
  return [...requests, ...follows]
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

/**
 * Call it after the follows are inserted. Rows are locked in the order of their ids, so that two transactions cannot
 * deadlock.
 */
export async function countFollows(tx: Context, follows: readonly FollowEnds[]): Promise<void> {
  if (follows.length === 0) return
  await tx.db.run(sql`
    insert into account_stats as st (account_id, following_count, followers_count)
    select id, following, followers from (${changesPerAccount(follows)}) changes order by id
    on conflict (account_id) do update
    set following_count = st.following_count + excluded.following_count, followers_count = st.followers_count + excluded.followers_count`)
}

/** Call it after the follows are deleted. Locks rows as countFollows does. */
export async function uncountFollows(tx: Context, follows: readonly FollowEnds[]): Promise<void> {
  if (follows.length === 0) return
  await tx.db.run(sql`
    update account_stats st
    set following_count = greatest(0, st.following_count - changes.following), followers_count = greatest(0, st.followers_count - changes.followers)
    from (${changesPerAccount(follows)}) changes
    where st.account_id = changes.id and st.account_id in (
      select account_id from account_stats where account_id = any(${[...new Set(follows.flatMap((row) => [row.account_id, row.target_account_id]))]}::bigint[])
      order by account_id for update)`)
}

const changesPerAccount = (follows: readonly FollowEnds[]): Sql => sql`
  select id, sum(following)::int as following, sum(followers)::int as followers
  from (
    select account_id as id, 1 as following, 0 as followers from unnest(${follows.map((row) => row.account_id)}::bigint[]) as a (account_id)
    union all
    select target_account_id, 0, 1 from unnest(${follows.map((row) => row.target_account_id)}::bigint[]) as t (target_account_id)
  ) sides group by id`
