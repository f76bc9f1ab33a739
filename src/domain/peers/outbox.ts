import type { Context } from '../../context.ts'
import type { OutboxActivities } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../lib/ids.ts'

/** The subject of an activity. A newer activity of the same account about it replaces those that still wait to be delivered. */
export type Topic =
  | { kind: 'status' | 'like' | 'follow' | 'block' | 'follower' | 'featured' | 'featured-tag'; id: string }
  | { kind: 'profile' }

const topicText = (topic: Topic): string => (topic.kind === 'profile' ? topic.kind : `${topic.kind} ${topic.id}`)

function parseTopic(text: string): Topic {
  const [kind = '', id] = text.split(' ', 2)
  return { kind, id } as Topic
}

export type StoreOptions = {
  topic?: Topic | null
  /** Nothing is stored when this status is gone. */
  statusId?: string | null
  /** The current text of the first activity about the topic: while that one waits, it is delivered with this text. */
  renewed?: Record<string, unknown> | null
  /** Activities about the topic that are delivered afterwards, one by one and in this order. A few at most. */
  followedBy?: readonly Record<string, unknown>[]
}

/** Stores a rendered activity and queues one delivery per inbox. Deliveries are retried, so they may arrive in any order. */
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
    // The lock delays a deletion of the status, so that its Delete is stored after this.
    if (statusId !== null && !(await tx.db.maybe(sql`select from statuses where id = ${statusId} for key share`)))
      return
    if (topic !== null) await replace(tx, accountId, topic, renewed)
    if (inboxes.length === 0) return
    await tx.db.run(sql`
      insert into outbox_activities (id, account_id, body, topic, type)
      select id, ${accountId}, body, ${topic && topicText(topic)}, type from unnest(
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
  topic: Topic,
  renewed: Record<string, unknown> | null,
): Promise<void> {
  const waiting = sql`account_id = ${accountId} and topic = ${topicText(topic)}`
  if (renewed === null) await tx.db.run(sql`delete from outbox_activities where ${waiting}`)
  else
    await tx.db.run(sql`
      update outbox_activities set body = ${JSON.stringify(renewed)} where ${waiting} and type = ${String(renewed.type)}`)
}

type ActivityRow = Pick<OutboxActivities, 'account_id' | 'body' | 'topic' | 'type'>
export type StoredActivity = Omit<ActivityRow, 'topic'> & { topic: Topic | null }

/** A stored activity and the account that signs it. Null when another activity replaced it. */
export async function findStoredActivity(ctx: Context, id: string): Promise<StoredActivity | null> {
  const row = await ctx.db.maybe<ActivityRow>(
    sql`select account_id, body, topic, type from outbox_activities where id = ${id}`,
  )
  return row && { ...row, topic: row.topic === null ? null : parseTopic(row.topic) }
}
