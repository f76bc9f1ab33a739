import type { Context } from '../../context.ts'
import { newestFirst, ordered, within, type Pagination } from '../../db/page.ts'
import { sql } from '../../db/sql.ts'
import { parseInstant } from '../../lib/dates.ts'
import { Invalid, NotFound, invalidField, invalidRequest } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import type { ComposeParams } from './compose.ts'

/** So far ahead, at least, a post is scheduled: milliseconds. */
const MIN_AHEAD = 5 * 60_000
const PER_DAY = 25
const IN_TOTAL = 300

/** What is posted once its time has come, as it was sent. */
export type ScheduledParams = Omit<ComposeParams, 'status'> & {
  text: string
  /** The author's defaults when it was sent, for what was not: they may be others when the time has come. */
  defaults?: Pick<ComposeParams, 'visibility' | 'sensitive' | 'language' | 'quote_approval_policy'>
  allowed_mentions?: readonly string[]
  idempotency: string | null
}

export type ScheduledRow = {
  id: string
  account_id: string
  app_id: string | null
  scheduled_at: Date
  params: ScheduledParams
}

/** When a post is to go out; null for at once: no time, or one that has passed. Throws Invalid where that is no date, or too soon. */
export function timeToPost(text: string | undefined): Date | null {
  if (text === undefined || text.trim() === '') return null
  const at = instantOf(text)
  if (at.getTime() <= Date.now()) return null
  checkAhead(at)
  return at
}

function instantOf(text: string): Date {
  const at = parseInstant(text)
  // The text of Rails for a record that was not even built.
  if (!at) throw new Invalid(message('record_invalid'))
  return at
}

function checkAhead(at: Date): void {
  if (at.getTime() <= Date.now() + MIN_AHEAD) throw invalidField('scheduled_at', 'date_in_past')
}

/**
 * Sees to it that an account has room for one more waiting post at `at`, beside `but`. Nobody else finds the same room until the
 * transaction ends. Throws Invalid.
 */
export async function checkRoom(tx: Context, accountId: string, at: Date, but: string | null = null): Promise<void> {
  await tx.db.run(sql`select from accounts where id = ${accountId} for no key update`)
  const { total, that_day } = await tx.db.one<{ total: number; that_day: number }>(sql`
    select count(*)::int as total,
      count(*) filter (where (scheduled_at at time zone 'utc')::date = (${at}::timestamptz at time zone 'utc')::date)::int as that_day
    from scheduled_statuses where account_id = ${accountId} and id is distinct from ${but}::bigint`)
  if (total >= IN_TOTAL) throw invalidRequest('scheduled_too_many', { count: IN_TOTAL })
  if (that_day >= PER_DAY) throw invalidRequest('scheduled_too_many_that_day', { count: PER_DAY })
}

/** A page of an account's waiting posts, the last made first. */
export async function listScheduled(ctx: Context, accountId: string, page: Pagination): Promise<ScheduledRow[]> {
  const rows = await ctx.db.many<ScheduledRow>(sql`
    select * from scheduled_statuses where account_id = ${accountId} and ${within(sql`id`, page)} ${ordered(sql`id`, page)}`)
  return newestFirst(rows, page)
}

/** A waiting post of an account. Throws NotFound. */
export async function getScheduled(ctx: Context, accountId: string, id: string): Promise<ScheduledRow> {
  const row = await ctx.db.maybe<ScheduledRow>(
    sql`select * from scheduled_statuses where id = ${id} and account_id = ${accountId}`,
  )
  if (!row) throw new NotFound()
  return row
}

/** Moves a waiting post to another time. Throws NotFound; Invalid for what is no date, too soon, or a day that is full. */
export async function reschedule(ctx: Context, accountId: string, id: string, text: string): Promise<void> {
  const at = instantOf(text)
  checkAhead(at)
  await ctx.transaction(async (tx) => {
    await checkRoom(tx, accountId, at, id)
    const moved = await tx.db.run(
      sql`update scheduled_statuses set scheduled_at = ${at} where id = ${id} and account_id = ${accountId}`,
    )
    if (moved === 0) throw new NotFound()
    await tx.enqueue('statuses.publish', { scheduledId: id }, { at })
  })
}

/** Takes a waiting post back; its media are uploads again, for a day. Throws NotFound. */
export async function unschedule(ctx: Context, accountId: string, id: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const row = await tx.db.maybe(
      sql`select from scheduled_statuses where id = ${id} and account_id = ${accountId} for update`,
    )
    if (!row) throw new NotFound()
    await removeScheduled(tx, id)
  })
}

/** Removes a waiting post, which is held, and lets go of its media. */
export async function removeScheduled(tx: Context, id: string): Promise<void> {
  await tx.db.run(
    sql`update media_attachments set scheduled_status_id = null, created_at = now() where scheduled_status_id = ${id}`,
  )
  await tx.db.run(sql`delete from scheduled_statuses where id = ${id}`)
}
