import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

// Activities arrive in any order and at the same time. Whoever makes something known by a uri, and whoever deletes or undoes
// it, does so under a lock on that uri and looks for a tombstone first.

/** Makes what is done about one thing of another server happen one after the other, until the transaction ends. */
export async function lockUri(tx: Context, uri: string): Promise<void> {
  await tx.db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`uri ${uri}`}, 0))`)
}

/** Whether what this uri names was deleted, also if it was never here. */
export async function isDeleted(ctx: Context, uri: string): Promise<boolean> {
  return (await ctx.db.maybe(sql`select from tombstones where uri = ${uri}`)) !== null
}

/** Servers retry a delivery for two days or so. */
const UNSEEN_DAYS = 14

/** Keeps what this uri names, of which nothing is known here, from arriving after its deletion. Expires. */
export async function rememberUnseenDeleted(tx: Context, uri: string): Promise<void> {
  await tx.db.run(sql`
    insert into tombstones (uri, expires_at) values (${uri}, now() + make_interval(days => ${UNSEEN_DAYS}::int)) on conflict do nothing`)
}

/** Removes the tombstones of things never seen whose time is over. */
export async function deleteExpiredTombstones(ctx: Context): Promise<void> {
  await ctx.db.run(sql`delete from tombstones where expires_at < now()`)
}

/** Forgets that what this uri names was deleted; gives whether it was. */
export async function deleteTombstone(tx: Context, uri: string): Promise<boolean> {
  return (await tx.db.run(sql`delete from tombstones where uri = ${uri}`)) > 0
}

/** The name under which it is remembered that an actor took an activity of its own back. */
export const undoneName = (actorUri: string, activityId: string): string =>
  `undone:${createHash('sha256').update(`${actorUri}\n${activityId}`).digest('hex')}`
