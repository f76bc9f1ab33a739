import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { batchedFor } from '../../lib/batch.ts'

// Activities arrive in any order and at the same time. Code that stores, deletes or undoes an object takes a lock on its URI
// and looks for a tombstone first.

/** Serialises the changes to one remote object until the transaction ends. */
export async function lockUri(tx: Context, uri: string): Promise<void> {
  await tx.db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`uri ${uri}`}, 0))`)
}

/**
 * As lockUri, and returns false if the object was deleted. For tasks that share a transaction: call it once per transaction and
 * object, before other locks.
 */
export const lockUnlessDeleted = batchedFor(async (tx: Context, uris: string[]): Promise<boolean[]> => {
  // In one order, so that two transactions do not wait for each other. The second statement sees what was committed meanwhile.
  const [, deleted] = await Promise.all([
    tx.db.run(sql`
      select pg_advisory_xact_lock(hashtextextended('uri ' || uri, 0)) from (select uri from unnest(${uris}::text[]) uri order by uri) u`),
    tx.db.many<{ uri: string }>(sql`select uri from tombstones where uri = any(${uris}::text[])`),
  ])
  const gone = new Set(deleted.map(({ uri }) => uri))
  return uris.map((uri) => !gone.has(uri))
})

/** True also for an object that was never stored here. */
export async function isDeleted(ctx: Context, uri: string): Promise<boolean> {
  return (await ctx.db.maybe(sql`select from tombstones where uri = ${uri}`)) !== null
}

/** Whether the object was stored here before it was deleted. */
export async function wasDeletedHere(ctx: Context, uri: string): Promise<boolean> {
  return (await ctx.db.maybe(sql`select from tombstones where uri = ${uri} and expires_at is null`)) !== null
}

/** More than the two days or so for which servers retry a delivery. */
const UNSEEN_DAYS = 14

/** For an unknown object, which is then not stored when it arrives after its deletion. */
export async function insertExpiringTombstone(tx: Context, uri: string): Promise<void> {
  await tx.db.run(sql`
    insert into tombstones (uri, expires_at) values (${uri}, now() + make_interval(days => ${UNSEEN_DAYS}::int)) on conflict do nothing`)
}

export async function deleteExpiredTombstones(ctx: Context): Promise<void> {
  await ctx.db.run(sql`delete from tombstones where expires_at < now()`)
}

export async function deleteTombstone(tx: Context, uri: string): Promise<boolean> {
  return (await tx.db.run(sql`delete from tombstones where uri = ${uri}`)) > 0
}

/** Stands in for a URI in the tombstone of an activity that its actor undid. */
export const undoneKey = (actorUri: string, activityId: string): string =>
  `undone:${createHash('sha256').update(`${actorUri}\n${activityId}`).digest('hex')}`
