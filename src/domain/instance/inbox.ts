import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/** An activity that came in: who signed it, and its text until it is processed. */
export type IncomingRow = { id: string; actor_uri: string; body: string | null }

/**
 * Stores an activity to be processed, once: what the same actor sent before under the same id, or in the same words where it
 * has none, is not stored again. Gives whether it is new.
 */
export async function storeIncoming(
  ctx: Context,
  incoming: { actorUri: string; id: string | null; body: string },
): Promise<boolean> {
  const { actorUri, id, body } = incoming
  const digest = createHash('sha256')
    .update(`${actorUri}\n${id ?? body}`)
    .digest()
  return ctx.transaction(async (tx) => {
    const row = await tx.db.maybe<{ id: string }>(sql`
      insert into inbox_activities (digest, actor_uri, body) values (${digest}, ${actorUri}, ${body}) on conflict do nothing returning id`)
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
