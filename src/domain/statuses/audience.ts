import type { Note } from '../../ap/note.ts'
import { perServer, type Context } from '../../context.ts'
import { anyOf, count, sql, type Sql } from '../../db/sql.ts'
import { batched } from '../../lib/batch.ts'
import { findStatusByUri } from './find.ts'
import { isAddressedHere } from './mentions.ts'
import { isPublicOrUnlistedSql } from './visibility.ts'

/**
 * A condition on the id of an account: it has remote followers. `offset 0` keeps the planner from starting with all remote
 * accounts; instead it reads the followers until one is remote.
 */
const hasRemoteFollowers = (accountId: Sql): Sql => sql`exists (
  select from (select f.account_id from follows f where f.target_account_id = ${accountId} offset 0) f
  join accounts fa on fa.id = f.account_id where fa.domain is not null)`

export async function findRemotelyFollowed(tx: Context, accountIds: readonly string[]): Promise<Set<string>> {
  if (accountIds.length === 0) return new Set()
  const followed = await tx.db.many<{ id: string }>(sql`
    select author.id from (select distinct unnest(${accountIds}::bigint[]) as id) author
    where ${hasRemoteFollowers(sql`author.id`)}`)
  return new Set(followed.map(({ id }) => id))
}

/** Posts of which `findRecentlyMentioned` reads the mentions. */
const RECENT_POSTS = 200

/** Remote accounts that the newest posts of an account mention: their servers know it even if it has no followers there. */
export async function findRecentlyMentioned(ctx: Context, accountId: string): Promise<string[]> {
  const mentioned = await ctx.db.many<{ id: string }>(sql`
    select distinct a.id from (
      select id from statuses where account_id = ${accountId} order by id desc limit ${count(RECENT_POSTS)}) s
    join mentions m on m.status_id = s.id join accounts a on a.id = m.account_id and a.domain is not null`)
  return mentioned.map(({ id }) => id)
}

/** Follows that `findRecentlyFollowed` reads, and their greatest age. */
const RECENT_FOLLOWS = 2000
const FOLLOW_AGE = sql`interval '2 days'`

/** Remote accounts that an account has followed or asked to follow in the last two days: their servers have just fetched it. */
export async function findRecentlyFollowed(ctx: Context, accountId: string): Promise<string[]> {
  const newest = (table: Sql): Sql => sql`(
    select target_account_id from ${table}
    where account_id = ${accountId} and created_at > now() - ${FOLLOW_AGE} order by id desc limit ${count(RECENT_FOLLOWS)})`
  const followed = await ctx.db.many<{ id: string }>(sql`
    select a.id from (${newest(sql`follows`)} union ${newest(sql`follow_requests`)}) f
    join accounts a on a.id = f.target_account_id and a.domain is not null`)
  return followed.map(({ id }) => id)
}

export type StatusAudience = {
  /** Whether a remote account may be concerned: mentioned, replied to, reblogged, quoted, or a follower. */
  remote: boolean
  /** Whether followers asked to be notified of every status, and this is one: no reblog, no reply to others, not direct. */
  subscribers: boolean
}

/** A condition on a status `s`: see StatusAudience. */
const hasSubscribers = sql`(s.reblog_of_id is null and s.visibility <> 'direct' and (not s.reply or coalesce(s.in_reply_to_account_id = s.account_id, false))
  and exists (select from follows f where f.target_account_id = s.account_id and f.notify))`

/** What a status refers to. Each takes a look-up of remote accounts that it concerns. `original`: the status is a reblog. */
export type StatusReferences = { mentions: boolean; parent: boolean; quote: boolean; original: boolean }

/** Whether a remote account is concerned by a status `s` that has at most these references. */
const concernsRemoteSql = (has: StatusReferences): Sql =>
  anyOf([
    has.mentions &&
      sql`exists (select from mentions m join accounts a on a.id = m.account_id where m.status_id = s.id and a.domain is not null)`,
    has.parent && sql`exists (select from accounts a where a.id = s.in_reply_to_account_id and a.domain is not null)`,
    has.original &&
      sql`exists (select from statuses o join accounts a on a.id = o.account_id where o.id = s.reblog_of_id and a.domain is not null)`,
    has.quote &&
      sql`(s.quote_id is not null and exists (select from quotes q join accounts a on a.id = q.quoted_account_id where q.id = s.quote_id and a.domain is not null))`,
    sql`(s.visibility <> 'direct' and ${hasRemoteFollowers(sql`s.account_id`)})`,
  ])

/** StatusAudience of statuses `s`, as columns. `references`: of the local ones; the others go to no other server. */
export function audienceColumns(references: readonly StatusReferences[]): Sql {
  const some = (kind: keyof StatusReferences): boolean => references.some((has) => has[kind])
  const has = { mentions: some('mentions'), parent: some('parent'), quote: some('quote'), original: some('original') }
  return sql`${references.length === 0 ? sql`false` : concernsRemoteSql(has)} as remote, ${hasSubscribers} as subscribers`
}

/** Whether a remote account is concerned: see StatusAudience. */
export async function concernsRemote(tx: Context, statusId: string): Promise<boolean> {
  const anything = { mentions: true, parent: true, quote: true, original: true }
  const { remote } = await tx.db.one<{ remote: boolean }>(
    sql`select ${concernsRemoteSql(anything)} as remote from statuses s where s.id = ${statusId}`,
  )
  return remote
}

/** Only the followers of this many local accounts that shared a status receive its changes. */
const MAX_SHARERS = 500

/**
 * Accounts whose servers may have a copy of a status although they do not follow the author and are not addressed. Columns:
 * `status_id`, `account_id`; `remote`: a remote account that interacted with the status or was mentioned before an edit;
 * `sharer`: a local account with remote followers that reblogged, replied to or quoted a public status.
 */
const copyHolders = (ids: Sql): Sql => sql`
  select i.status_id, i.account_id, a.domain is not null as remote,
    a.domain is null and i.shares and ${isPublicOrUnlistedSql(sql`o.visibility`)} and ${hasRemoteFollowers(sql`a.id`)} as sharer
  from (
    select reblog_of_id as status_id, account_id, visibility <> 'direct' as shares from statuses where reblog_of_id = any(${ids})
    union all select in_reply_to_id, account_id, visibility <> 'direct' from statuses where in_reply_to_id = any(${ids})
    union all select q.quoted_status_id, q.account_id, qs.visibility <> 'direct' from quotes q join statuses qs on qs.id = q.status_id where q.quoted_status_id = any(${ids})
    union all select status_id, account_id, false from favourites where status_id = any(${ids})
    union all select p.status_id, v.account_id, false from polls p join poll_votes v on v.poll_id = p.id where p.status_id = any(${ids})
    union all select status_id, account_id, false from former_mentions where status_id = any(${ids})
  ) i join accounts a on a.id = i.account_id join statuses o on o.id = i.status_id`

/** Whether another server may have a copy of a status although it has neither followers of the author nor accounts addressed. */
export async function hasRemoteCopies(tx: Context, statusId: string): Promise<boolean> {
  const { copied } = await tx.db.one<{ copied: boolean }>(
    sql`select exists (select from (${copyHolders(sql`array[${statusId}::bigint]`)}) c where c.remote or c.sharer) as copied`,
  )
  return copied
}

/** The remote accounts of `copyHolders`, and the followers of its sharers. */
export const accountsWithCopies = (statusId: string): Sql => sql`
  with holders as (${copyHolders(sql`array[${statusId}::bigint]`)})
  select account_id from holders where remote
  union select f.account_id from follows f
    where f.target_account_id in (select distinct account_id from holders where sharer limit ${MAX_SHARERS}::int)`

/** A local account with remote followers that shared a status, as a scalar subquery. `statusId`: a column. */
export const anySharerOf = (statusId: Sql): Sql =>
  sql`(select c.account_id from (${copyHolders(sql`array[${statusId}]`)}) c where c.sharer limit 1)`

export type DeletionAudience = {
  /** By status: remote accounts that received or interacted with it. */
  byStatus: Map<string, string[]>
  /** By status: local accounts that shared it with remote followers. */
  sharers: Map<string, string[]>
  followed: Set<string>
}

/**
 * The remote accounts that know statuses and reblogs, besides the followers: those of copyHolders, and the accounts that a status
 * mentions, replies to, reblogs or quotes. Call it before the rows are deleted.
 */
export async function findDeletionAudience(
  tx: Context,
  statuses: readonly { id: string; account_id: string }[],
): Promise<DeletionAudience> {
  if (statuses.length === 0) return { byStatus: new Map(), sharers: new Map(), followed: new Set() }
  const ids = statuses.map(({ id }) => id)
  const concerned = await tx.db.many<{ id: string; accounts: string[]; sharers: string[] }>(sql`
    select c.status_id as id, coalesce(array_agg(distinct c.account_id) filter (where c.remote), '{}')::text[] as accounts,
      (coalesce(array_agg(distinct c.account_id) filter (where c.sharer), '{}'))[:${MAX_SHARERS}::int]::text[] as sharers
    from (
      ${copyHolders(sql`${ids}::bigint[]`)}
      union all select named.id, a.id, true, false from (
        select status_id as id, account_id from mentions where status_id = any(${ids}::bigint[])
        union all select status_id, quoted_account_id from quotes where status_id = any(${ids}::bigint[])
        union all select id, in_reply_to_account_id from statuses where id = any(${ids}::bigint[])
        union all select s.id, o.account_id from statuses s join statuses o on o.id = s.reblog_of_id where s.id = any(${ids}::bigint[])
      ) named join accounts a on a.id = named.account_id and a.domain is not null
    ) c where c.remote or c.sharer group by c.status_id`)
  const followed = await findRemotelyFollowed(
    tx,
    statuses.map(({ account_id: id }) => id),
  )
  return {
    byStatus: new Map(concerned.map(({ id, accounts }) => [id, accounts])),
    sharers: new Map(concerned.map(({ id, sharers }) => [id, sharers])),
    followed,
  }
}

const MAX_AUTHORS = 100

const followedHere = perServer((ctx) => batched((ids: string[]) => readFollowedHere(ctx, ids), MAX_AUTHORS))

/** Look-ups that are made together share a statement: never call it in a transaction. */
export const isFollowedHere = (ctx: Context, accountId: string): Promise<boolean> => followedHere(ctx)(accountId)

async function readFollowedHere(ctx: Context, ids: readonly string[]): Promise<boolean[]> {
  const rows = await ctx.db.many<{ id: string }>(sql`
    select author.id from (select distinct unnest(${ids}::bigint[]) as id) author
    where exists (select from follows f join accounts a on a.id = f.account_id where f.target_account_id = author.id and a.domain is null)`)
  const followed = new Set(rows.map(({ id }) => id))
  return ids.map((id) => followed.has(id))
}

/**
 * Whether a received status concerns a local account: its author is followed, it is addressed to or mentions a local account,
 * or it replies to an account that is local or followed. The server drops other statuses: remote servers could send any number
 * of them.
 */
export async function isRelevant(ctx: Context, note: Note, authorId: string): Promise<boolean> {
  if (await isFollowedHere(ctx, authorId)) return true
  if (await isAddressedHere(ctx, note)) return true
  const parent = note.inReplyTo === null ? null : await findStatusByUri(ctx, note.inReplyTo)
  return parent !== null && (parent.domain === null || isFollowedHere(ctx, parent.account_id))
}
