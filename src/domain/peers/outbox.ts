import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../lib/ids.ts'

export type StoreOptions = {
  /** What it is about. Whatever else about it is still on its way is not delivered any more. */
  topic?: string | null
  /** The status that it is about: when that is gone, there is nothing to tell. */
  statusId?: string | null
  /** What the activity that brought the topic into the world says by now: that one is still delivered, like this. */
  renewed?: Record<string, unknown> | null
  /** Activities about the same that are delivered afterwards, one by one and in this order. A few at most. */
  followedBy?: readonly Record<string, unknown>[]
}

/** Stores an activity, rendered once, with a delivery for each inbox. Deliveries fail and wait, so they may arrive in any order. */
export async function storeActivity(
  ctx: Context,
  accountId: string,
  activity: Record<string, unknown>,
  inboxes: readonly string[],
  { topic = null, statusId = null, renewed = null, followedBy = [] }: StoreOptions = {},
): Promise<void> {
  if (inboxes.length === 0 && topic === null) return
  const stored = [activity, ...followedBy].map((body) => ({
    id: newId(),
    body: JSON.stringify(body),
    type: String(body.type),
  }))
  const [activityId = '', ...rest] = stored.map(({ id }) => id)
  await ctx.transaction(async (tx) => {
    // Held, so that its end is told after this.
    if (statusId !== null && !(await tx.db.maybe(sql`select from statuses where id = ${statusId} for key share`)))
      return
    if (topic !== null) await replace(tx, accountId, topic, renewed)
    if (inboxes.length === 0) return
    await tx.db.run(sql`
      insert into outbox_activities (id, account_id, body, topic, type)
      select id, ${accountId}, body, ${topic}, type from unnest(
        ${stored.map(({ id }) => id)}::bigint[], ${stored.map(({ body }) => body)}::text[], ${stored.map(({ type }) => type)}::text[]
      ) s (id, body, type)`)
    await tx.enqueueMany(
      'federation.deliver',
      inboxes.map((inbox) => ({ activityId, inbox, ...(rest.length > 0 ? { followedBy: rest } : {}) })),
    )
  })
}

async function replace(
  tx: Context,
  accountId: string,
  topic: string,
  renewed: Record<string, unknown> | null,
): Promise<void> {
  const waiting = sql`account_id = ${accountId} and topic = ${topic}`
  if (renewed === null) await tx.db.run(sql`delete from outbox_activities where ${waiting}`)
  else
    await tx.db.run(sql`
      update outbox_activities set body = ${JSON.stringify(renewed)} where ${waiting} and type = ${String(renewed.type)}`)
}

export type StoredActivity = { account_id: string; body: string; topic: string | null; type: string | null }

/** A stored activity: the account that signs it, and its text. Null when another activity replaced it. */
export async function findStoredActivity(ctx: Context, id: string): Promise<StoredActivity | null> {
  return ctx.db.maybe<StoredActivity>(sql`select account_id, body, topic, type from outbox_activities where id = ${id}`)
}
