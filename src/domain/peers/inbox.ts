import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { InboxActivities } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'

/** A received activity: the actor that signed it, and its text until it is processed. */
export type IncomingRow = Pick<InboxActivities, 'id' | 'actor_uri'> & { body: string }

/** Identifies an activity by its signer and its name. */
const digestOf = (actorUri: string, name: string): Buffer =>
  createHash('sha256').update(`${actorUri}\n${name}`).digest()

/**
 * Stores an activity, unless the same actor sent one under the same name before. Returns the id of a new activity, or null.
 */
export async function insertIncoming(
  ctx: Context,
  { actorUri, name, body }: { actorUri: string; name: string; body: string },
): Promise<string | null> {
  const row = await ctx.db.maybe<Pick<InboxActivities, 'id'>>(sql`
    insert into inbox_activities (digest, actor_uri, body) values (${digestOf(actorUri, name)}, ${actorUri}, ${body}) on conflict do nothing returning id`)
  return row?.id ?? null
}

/** A stored activity that is not processed yet, or null. */
export async function findIncoming(ctx: Context, id: string): Promise<IncomingRow | null> {
  return ctx.db.maybe<IncomingRow>(
    sql`select id, actor_uri, body from inbox_activities where id = ${id} and body is not null`,
  )
}

/** Deletes the text of a processed activity. Its digest stays for a while, to recognise repeats. */
export async function finishIncoming(ctx: Context, id: string): Promise<void> {
  await ctx.db.run(sql`update inbox_activities set body = null where id = ${id}`)
}

/** Lets an actor send an undone activity again under its old name. Activities that wait to be processed stay. */
export async function deleteProcessed(ctx: Context, actorUri: string, name: string): Promise<void> {
  await ctx.db.run(sql`delete from inbox_activities where digest = ${digestOf(actorUri, name)} and body is null`)
}
