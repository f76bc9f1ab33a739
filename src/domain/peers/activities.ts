import { createHash } from 'node:crypto'
import { perServer, type Context } from '../../context.ts'
import type { InboxActivities, OutboxActivities } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { batched } from '../../lib/batch.ts'
import { newId } from '../../lib/ids.ts'

/** `dedupKey`: an activity of the same actor with the same key is a duplicate. */
export type NewIncoming = { id: string; actorUri: string; dedupKey: string; body: string }
export type IncomingRow = Pick<InboxActivities, 'id' | 'actor_uri'> & { body: string }

const digestOf = (actorUri: string, dedupKey: string): Buffer =>
  createHash('sha256').update(`${actorUri}\n${dedupKey}`).digest()

/** Leaves out duplicates. */
export async function insertIncoming(tx: Context, activities: readonly NewIncoming[]): Promise<void> {
  // In one order, as two processes may receive the same activities.
  await tx.db.run(sql`
    insert into inbox_activities (id, digest, actor_uri, body)
    select id, digest, actor_uri, body from unnest(
      ${activities.map(({ id }) => id)}::bigint[], ${activities.map(({ actorUri, dedupKey }) => digestOf(actorUri, dedupKey))}::bytea[],
      ${activities.map(({ actorUri }) => actorUri)}::text[], ${activities.map(({ body }) => body)}::text[]
    ) new (id, digest, actor_uri, body) order by digest
    on conflict (digest) do nothing`)
}

const MAX_BATCH = 100

const incoming = perServer((ctx) => ({
  find: batched((ids: string[]) => readIncoming(ctx, ids), MAX_BATCH),
  finish: batched((ids: string[]) => clearIncoming(ctx, ids), MAX_BATCH),
}))

/** Null also for a processed activity. Calls that are made together share a statement, as those of finishIncoming do. */
export const findIncoming = (ctx: Context, id: string): Promise<IncomingRow | null> => incoming(ctx).find(id)

/** Deletes only the text: the digest stays for a while, to recognise repeats. */
export const finishIncoming = (ctx: Context, id: string): Promise<void> => incoming(ctx).finish(id)

async function readIncoming(ctx: Context, ids: readonly string[]): Promise<(IncomingRow | null)[]> {
  const rows = await ctx.db.many<IncomingRow>(
    sql`select id, actor_uri, body from inbox_activities where id = any(${ids}::bigint[]) and body is not null`,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id) ?? null)
}

async function clearIncoming(ctx: Context, ids: readonly string[]): Promise<void[]> {
  await ctx.db.run(sql`update inbox_activities set body = null where id = any(${ids}::bigint[])`)
  return ids.map(() => undefined)
}

/** Lets an actor send an undone activity again under its old id. Activities that wait to be processed stay. */
export async function deleteProcessed(ctx: Context, actorUri: string, dedupKey: string): Promise<void> {
  await ctx.db.run(sql`delete from inbox_activities where digest = ${digestOf(actorUri, dedupKey)} and body is null`)
}

/** The subject of an activity. A newer activity of the same account about it replaces those that still wait to be delivered. */
export type ActivityTopic =
  | {
      kind:
        | 'status'
        | 'like'
        | 'follow'
        | 'block'
        | 'follower'
        | 'featured'
        | 'featured-tag'
        | 'collection'
        | 'collection-item'
      id: string
    }
  | { kind: 'profile' }

const topicText = (topic: ActivityTopic): string =>
  topic.kind === 'profile' ? topic.kind : `${topic.kind} ${topic.id}`

function parseTopic(text: string): ActivityTopic {
  const [kind = '', id] = text.split(' ', 2)
  return { kind, id } as ActivityTopic
}

export type StoreOptions = {
  topic?: ActivityTopic | null
  /** Nothing is stored when this status is gone. */
  statusId?: string | null
  /** The current text of the first activity about the topic: while that one waits, it is delivered with this text. */
  renewed?: Record<string, unknown> | null
  /** Activities about the topic that are delivered afterwards, one by one and in this order. A few at most. */
  followedBy?: readonly Record<string, unknown>[]
}

/** Serialises the acts about one subject until the transaction ends. */
export async function lockSubject(tx: Context, subject: string): Promise<void> {
  await tx.db.run(sql`select pg_advisory_xact_lock(hashtextextended('act ' || ${subject}, 0))`)
}

/** `accountId`: null for the instance actor. Needs a transaction. Null when the status is gone. */
export async function insertActivities(
  tx: Context,
  accountId: string | null,
  activities: readonly Record<string, unknown>[],
  { topic = null, statusId = null, renewed = null }: Omit<StoreOptions, 'followedBy'>,
): Promise<string[] | null> {
  // The lock delays a deletion of the status, so that its Delete is stored after this.
  if (statusId !== null && !(await tx.db.maybe(sql`select from statuses where id = ${statusId} for key share`)))
    return null
  if (topic !== null) await replace(tx, accountId, topic, renewed)
  const ids = activities.map(() => newId())
  if (ids.length === 0) return ids
  await tx.db.run(sql`
    insert into outbox_activities (id, account_id, body, topic, type)
    select id, ${accountId}, body, ${topic && topicText(topic)}, type from unnest(
      ${ids}::bigint[], ${activities.map((body) => JSON.stringify(body))}::text[], ${activities.map(({ type }) => String(type))}::text[]
    ) s (id, body, type)`)
  return ids
}

async function replace(
  tx: Context,
  accountId: string | null,
  topic: ActivityTopic,
  renewed: Record<string, unknown> | null,
): Promise<void> {
  const waiting = sql`account_id is not distinct from ${accountId} and topic = ${topicText(topic)}`
  if (renewed === null) await tx.db.run(sql`delete from outbox_activities where ${waiting}`)
  else
    await tx.db.run(sql`
      update outbox_activities set body = ${JSON.stringify(renewed)} where ${waiting} and type = ${String(renewed.type)}`)
}

type ActivityRow = Pick<OutboxActivities, 'account_id' | 'body' | 'topic' | 'type'>
export type StoredActivity = Omit<ActivityRow, 'topic'> & { topic: ActivityTopic | null }

/** Null when another activity replaced it. */
export async function findStoredActivity(ctx: Context, id: string): Promise<StoredActivity | null> {
  const row = await ctx.db.maybe<ActivityRow>(
    sql`select account_id, body, topic, type from outbox_activities where id = ${id}`,
  )
  return row && { ...row, topic: row.topic === null ? null : parseTopic(row.topic) }
}
