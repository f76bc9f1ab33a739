import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/** An activity that came in: who signed it, and its text until it is processed. */
export type IncomingRow = { id: string; actor_uri: string; body: string | null }

/** What tells an activity from all others: who signed it, and its name. */
const digestOf = (actorUri: string, name: string): Buffer =>
  createHash('sha256').update(`${actorUri}\n${name}`).digest()

/**
 * Stores an activity to be processed, once: what the same actor sent before under the same name is not stored again. Gives
 * whether it is new.
 */
export async function storeIncoming(
  ctx: Context,
  incoming: { actorUri: string; name: string; body: string },
): Promise<boolean> {
  const { actorUri, name, body } = incoming
  return ctx.transaction(async (tx) => {
    const row = await tx.db.maybe<{ id: string }>(sql`
      insert into inbox_activities (digest, actor_uri, body) values (${digestOf(actorUri, name)}, ${actorUri}, ${body}) on conflict do nothing returning id`)
    if (row) await tx.enqueue('federation.receive', { id: row.id })
    return row !== null
  })
}

/** A stored activity that is still to be processed, or null. */
export async function findIncoming(ctx: Context, id: string): Promise<(IncomingRow & { body: string }) | null> {
  return ctx.db.maybe<IncomingRow & { body: string }>(
    sql`select id, actor_uri, body from inbox_activities where id = ${id} and body is not null`,
  )
}

/** Forgets what a processed activity said. Its digest stays for a while, against repeats. */
export async function finishIncoming(ctx: Context, id: string): Promise<void> {
  await ctx.db.run(sql`update inbox_activities set body = null where id = ${id}`)
}

/** Lets what an actor took back come once more under its old name. What still waits to be processed is left alone. */
export async function forgetIncoming(ctx: Context, actorUri: string, name: string): Promise<void> {
  await ctx.db.run(sql`delete from inbox_activities where digest = ${digestOf(actorUri, name)} and body is null`)
}
