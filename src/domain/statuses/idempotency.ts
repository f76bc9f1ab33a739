import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { IdempotencyKeys } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'

export const KEY_LIFETIME = sql`interval '1 hour'`

/** Keys come from clients and may be of any length. */
const digestOf = (key: string): string => createHash('sha256').update(key).digest('base64url')

export type KeyedStatus = { statusId: string; scheduledId?: undefined } | { scheduledId: string; statusId?: undefined }

export async function findByKey(ctx: Context, accountId: string, key: string): Promise<KeyedStatus | null> {
  const row = await ctx.db.maybe<Pick<IdempotencyKeys, 'status_id' | 'scheduled_status_id'>>(sql`
    select status_id, scheduled_status_id from idempotency_keys
    where account_id = ${accountId} and key = ${digestOf(key)} and created_at > now() - ${KEY_LIFETIME}`)
  if (row?.status_id) return { statusId: row.status_id }
  return row?.scheduled_status_id ? { scheduledId: row.scheduled_status_id } : null
}

/**
 * Claims a key for the status that this transaction makes. Waits for a concurrent request with the same key, and returns what
 * that or an earlier request made; null when the key is claimed now.
 */
export async function claimKey(tx: Context, accountId: string, key: string): Promise<KeyedStatus | null> {
  const claimed = await tx.db.run(sql`
    insert into idempotency_keys (account_id, key) values (${accountId}, ${digestOf(key)})
    on conflict (account_id, key) do update set status_id = null, scheduled_status_id = null, created_at = now()
      where idempotency_keys.created_at <= now() - ${KEY_LIFETIME}
        or (num_nonnulls(idempotency_keys.status_id, idempotency_keys.scheduled_status_id) = 0 and idempotency_keys.created_at < now())`)
  if (claimed > 0) return null
  const made = await findByKey(tx, accountId, key)
  // In a shared transaction. Alone, this task waits for the other one.
  if (!made) throw new Error('another task of the transaction has claimed the key')
  return made
}

export async function fulfilKey(tx: Context, accountId: string, key: string, made: KeyedStatus): Promise<void> {
  await tx.db.run(sql`
    update idempotency_keys set status_id = ${made.statusId ?? null}, scheduled_status_id = ${made.scheduledId ?? null}
    where account_id = ${accountId} and key = ${digestOf(key)}`)
}

export async function moveKey(tx: Context, scheduledId: string, statusId: string): Promise<void> {
  await tx.db.run(
    sql`update idempotency_keys set status_id = ${statusId}, scheduled_status_id = null where scheduled_status_id = ${scheduledId}`,
  )
}
