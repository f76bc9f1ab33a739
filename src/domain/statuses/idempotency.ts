import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

// How long a repeated request is recognised as one: an hour.
const KEPT = sql`interval '1 hour'`

/** Keys come from clients and may be of any length. */
const stored = (key: string): string => createHash('sha256').update(key).digest('base64url')

/** What stands for a key: a post, or one that waits for its time. */
export type Made = { statusId: string; scheduledId?: undefined } | { scheduledId: string; statusId?: undefined }

/** What was made under this key within the hour, or null. */
export async function findByKey(ctx: Context, accountId: string, key: string): Promise<Made | null> {
  const row = await ctx.db.maybe<{ status_id: string | null; scheduled_status_id: string | null }>(sql`
    select status_id, scheduled_status_id from idempotency_keys
    where account_id = ${accountId} and key = ${stored(key)} and created_at > now() - ${KEPT}`)
  if (row?.status_id) return { statusId: row.status_id }
  return row?.scheduled_status_id ? { scheduledId: row.scheduled_status_id } : null
}

/**
 * Takes a key for the post that this transaction is about to make. Where another request is at it, waits for it. Gives what
 * was made under it, or null when it is ours.
 */
export async function claimKey(tx: Context, accountId: string, key: string): Promise<Made | null> {
  const claimed = await tx.db.run(sql`
    insert into idempotency_keys (account_id, key) values (${accountId}, ${stored(key)})
    on conflict (account_id, key) do update set status_id = null, scheduled_status_id = null, created_at = now()
      where idempotency_keys.created_at <= now() - ${KEPT} or num_nonnulls(idempotency_keys.status_id, idempotency_keys.scheduled_status_id) = 0`)
  return claimed > 0 ? null : findByKey(tx, accountId, key)
}

/** Notes what a claimed key stands for. */
export async function fulfilKey(tx: Context, accountId: string, key: string, made: Made): Promise<void> {
  await tx.db.run(sql`
    update idempotency_keys set status_id = ${made.statusId ?? null}, scheduled_status_id = ${made.scheduledId ?? null}
    where account_id = ${accountId} and key = ${stored(key)}`)
}

/** What waited is a post now: its key stands for that. */
export async function passKeyOn(tx: Context, scheduledId: string, statusId: string): Promise<void> {
  await tx.db.run(
    sql`update idempotency_keys set status_id = ${statusId}, scheduled_status_id = null where scheduled_status_id = ${scheduledId}`,
  )
}
