import type { Context } from '../../context.ts'
import { type Sql, sql } from '../../db/sql.ts'

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

/** The accounts block no domain until the transaction ends. As in lockRelationship, call it after locking the relationships. */
export const holdDomainBlocks = (tx: Context, accountIds: readonly string[]): Promise<void> =>
  lockDomainsOf(tx, accountIds, sql`pg_advisory_xact_lock_shared`)

/** Serialises a domain block with every change to the account's relationships, until the transaction ends. */
export const lockDomainBlocks = (tx: Context, accountId: string): Promise<void> => lockDomainBlocksOf(tx, [accountId])

/** As lockDomainBlocks, for several accounts. */
export const lockDomainBlocksOf = (tx: Context, accountIds: readonly string[]): Promise<void> =>
  lockDomainsOf(tx, accountIds, sql`pg_advisory_xact_lock`)

/** In one order, so that two transactions do not wait for each other. */
async function lockDomainsOf(tx: Context, accountIds: readonly string[], lock: Sql): Promise<void> {
  await tx.db.run(sql`
    select ${lock}(hashtextextended(${DOMAINS}::text || id, 0))
    from (select id from unnest(${accountIds}::bigint[]) id order by 1) ordered`)
}

const DOMAINS = 'domains of '
const domainsKey = (accountId: string): string => DOMAINS + accountId
