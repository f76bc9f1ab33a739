import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { hasBlockBetween, hasBlockedDomain } from './hidden.ts'
import { invalidField } from '../../lib/errors.ts'

const NOTE_LIMIT = 2000

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
  /** Either account blocks the other, or the other's domain. */
  blocked: boolean
  follow_id: string | null
  request_id: string | null
}

/**
 * Serialises changes between two accounts until the transaction ends, so that a follow and a simultaneous block cannot both
 * succeed. Call it first: later statements then read the current state.
 */
export async function lockRelationship(tx: Context, a: string, b: string): Promise<void> {
  const key = `relationship ${BigInt(a) < BigInt(b) ? `${a} ${b}` : `${b} ${a}`}`
  await tx.db.run(sql`
    select pg_advisory_xact_lock(hashtextextended(${key}, 0)), pg_advisory_xact_lock_shared(hashtextextended(${domainsKey(a)}, 0)),
      pg_advisory_xact_lock_shared(hashtextextended(${domainsKey(b)}, 0))`)
}

/** As lockRelationship, for one account and each of many others. Does not wait for domain blocks. */
export async function lockRelationships(tx: Context, accountId: string, others: readonly string[]): Promise<void> {
  await tx.db.run(sql`
    select pg_advisory_xact_lock(hashtextextended('relationship ' || least(other, ${accountId}) || ' ' || greatest(other, ${accountId}), 0))
    from (select other from unnest(${others}::bigint[]) other order by 1) ordered`)
}

/** Serialises a domain block with every change to the account's relationships, until the transaction ends. */
export async function lockDomainBlocks(tx: Context, accountId: string): Promise<void> {
  await tx.db.run(sql`select pg_advisory_xact_lock(hashtextextended(${domainsKey(accountId)}, 0))`)
}

/** As lockDomainBlocks, for several accounts. */
export async function lockDomainBlocksOf(tx: Context, accountIds: readonly string[]): Promise<void> {
  await tx.db.run(sql`
    select pg_advisory_xact_lock(hashtextextended('domains of ' || id, 0))
    from (select id from unnest(${accountIds}::bigint[]) id order by 1) ordered`)
}

const domainsKey = (accountId: string): string => `domains of ${accountId}`

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
      t.moved_to_id is not null as target_moved, f.id as follow_id, r.id as request_id,
      ${hasBlockBetween(sql`a.id`, sql`t.id`)} or ${hasBlockedDomain(sql`a.id`, sql`t.domain`)} or ${hasBlockedDomain(sql`t.id`, sql`a.domain`)} as blocked
    from accounts a
    join accounts t on t.id = ${targetAccountId}
    left join account_stats ast on ast.account_id = a.id
    left join follows f on f.account_id = a.id and f.target_account_id = t.id
    left join follow_requests r on r.account_id = a.id and r.target_account_id = t.id
    where a.id = ${accountId} for key share of a for share of t`)
}

/** Whether the first account is local and the second remote: only then is a change sent to the remote server. */
export async function isToRemote(tx: Context, accountId: string, targetAccountId: string): Promise<boolean> {
  const remote = await tx.db.maybe(sql`
    select from accounts a join accounts t on t.id = ${targetAccountId} and t.domain is not null
    where a.id = ${accountId} and a.domain is null`)
  return remote !== null
}

/** An empty comment deletes the note. Throws Invalid when it is too long. */
export async function writeNote(
  ctx: Context,
  note: { accountId: string; targetAccountId: string; comment: string },
): Promise<void> {
  const { accountId, targetAccountId, comment } = note
  if (Array.from(comment).length > NOTE_LIMIT) throw invalidField('comment', 'too_long', { count: NOTE_LIMIT })
  await ctx.db.run(
    comment.trim() === ''
      ? sql`delete from account_notes where account_id = ${accountId} and target_account_id = ${targetAccountId}`
      : sql`insert into account_notes (account_id, target_account_id, comment) values (${accountId}, ${targetAccountId}, ${comment})
        on conflict (account_id, target_account_id) do update set comment = excluded.comment`,
  )
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
