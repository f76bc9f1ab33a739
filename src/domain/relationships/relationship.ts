import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/** Two accounts, seen from the first one: what decides whether it may follow the second, and what already is. */
export type Pair = {
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
  /** Either blocks the other, or the other's domain. */
  blocked: boolean
  follow_id: string | null
  request_id: string | null
}

/**
 * Makes changes between two accounts happen one after the other, until the transaction ends: a block and a follow that meet
 * must not both come out as true. Call it first; what is read afterwards is current.
 */
export async function lockPair(tx: Context, a: string, b: string): Promise<void> {
  const key = `ties ${BigInt(a) < BigInt(b) ? `${a} ${b}` : `${b} ${a}`}`
  await tx.db.run(sql`
    select pg_advisory_xact_lock(hashtextextended(${key}, 0)), pg_advisory_xact_lock_shared(hashtextextended(${domainsOf(a)}, 0)),
      pg_advisory_xact_lock_shared(hashtextextended(${domainsOf(b)}, 0))`)
}

/** As lockPair for an account and each of many others, without the domains: only blocks between them have to wait. */
export async function lockPairs(tx: Context, accountId: string, others: readonly string[]): Promise<void> {
  await tx.db.run(sql`
    select pg_advisory_xact_lock(hashtextextended('ties ' || least(other, ${accountId}) || ' ' || greatest(other, ${accountId}), 0))
    from (select other from unnest(${others}::bigint[]) other order by 1) ordered`)
}

/** Makes changes to all ties of an account wait until the transaction ends, and waits for those under way: it blocks a domain. */
export async function lockDomains(tx: Context, accountId: string): Promise<void> {
  await tx.db.run(sql`select pg_advisory_xact_lock(hashtextextended(${domainsOf(accountId)}, 0))`)
}

const domainsOf = (accountId: string): string => `domains of ${accountId}`

/** Reads a pair, and holds both: neither is deleted, nor the second locked or unlocked, meanwhile. Null when one of them does not exist. */
export function readPair(tx: Context, accountId: string, targetAccountId: string): Promise<Pair | null> {
  return tx.db.maybe<Pair>(sql`
    select a.id as account_id, a.domain as account_domain, a.silenced_at is not null as account_silenced, a.moved_to_id is not null as account_moved,
      a.suspended_at is not null as account_suspended,
      coalesce(ast.following_count, 0) as following_count, coalesce(ast.followers_count, 0) as followers_count,
      t.id as target_id, t.domain as target_domain, t.locked as target_locked, t.suspended_at is not null as target_suspended,
      t.moved_to_id is not null as target_moved, f.id as follow_id, r.id as request_id,
      exists (select from blocks b where (b.account_id = a.id and b.target_account_id = t.id) or (b.account_id = t.id and b.target_account_id = a.id))
        or exists (select from account_domain_blocks d where (d.account_id = a.id and d.domain = t.domain) or (d.account_id = t.id and d.domain = a.domain)) as blocked
    from accounts a
    join accounts t on t.id = ${targetAccountId}
    left join account_stats ast on ast.account_id = a.id
    left join follows f on f.account_id = a.id and f.target_account_id = t.id
    left join follow_requests r on r.account_id = a.id and r.target_account_id = t.id
    where a.id = ${accountId} for key share of a for share of t`)
}

/** The domains of two accounts. */
export async function readDomains(
  tx: Context,
  accountId: string,
  otherId: string,
): Promise<{ mine: string | null; theirs: string | null }> {
  return tx.db.one(sql`
    select (select domain from accounts where id = ${accountId}) as mine, (select domain from accounts where id = ${otherId}) as theirs`)
}
