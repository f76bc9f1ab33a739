import type { Context } from '../../context.ts'
import { type Pagination, newestFirst, onPage } from '../../db/page.ts'
import type { ScheduledStatuses } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { parseInstant } from '../../lib/dates.ts'
import { Invalid, NotFound, invalidField, invalidRequest } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { settingsColumn, type UserSettings } from '../auth/viewer.ts'
import type { StatusDraft } from './draft.ts'
import type { ComposeParams } from './rules.ts'
import { lockAccount } from '../users/locks.ts'
import { isUnattached } from '../media/attachments.ts'

/** In milliseconds. */
const MIN_AHEAD = 5 * 60_000
const MAX_PER_DAY = 25
const MAX_TOTAL = 300

/** Parameters of the client's request, used again at the time of publication. */
export type ScheduledParams = Omit<ComposeParams, 'status'> & {
  text: string
  /** The author's defaults when the status was scheduled, for parameters that the client left out. */
  defaults?: Pick<ComposeParams, 'visibility' | 'sensitive' | 'language' | 'quote_approval_policy'>
  allowed_mentions?: readonly string[]
  idempotency: string | null
}

export type ScheduledRow = Pick<ScheduledStatuses, 'id' | 'account_id' | 'app_id' | 'scheduled_at'> & {
  params: ScheduledParams
}

/** Null to publish at once: there is no time, or it has passed. Throws Invalid for no date or too soon. */
export function timeToPost(text: string | undefined): Date | null {
  if (text === undefined || text.trim() === '') return null
  const at = parseTime(text)
  if (at.getTime() <= Date.now()) return null
  checkAhead(at)
  return at
}

/** Throws Invalid for no date or too soon. */
export function timeToMove(text: string): Date {
  const at = parseTime(text)
  checkAhead(at)
  return at
}

function parseTime(text: string): Date {
  const at = parseInstant(text)
  if (!at) throw new Invalid(message('date_invalid'))
  return at
}

function checkAhead(at: Date): void {
  if (at.getTime() <= Date.now() + MIN_AHEAD) throw invalidField('scheduled_at', 'date_in_past')
}

/**
 * Checks that an account may have another scheduled status at `at`; `except` is not counted. Locks the account, so that
 * concurrent requests do not pass the limit together. Throws Invalid.
 */
export async function checkLimits(
  tx: Context,
  accountId: string,
  at: Date,
  except: string | null = null,
): Promise<void> {
  await lockAccount(tx, accountId)
  const { total, that_day } = await tx.db.one<{ total: number; that_day: number }>(sql`
    select count(*)::int as total,
      count(*) filter (where (scheduled_at at time zone 'utc')::date = (${at}::timestamptz at time zone 'utc')::date)::int as that_day
    from scheduled_statuses where account_id = ${accountId} and id is distinct from ${except}::bigint`)
  if (total >= MAX_TOTAL) throw invalidRequest('scheduled_too_many', { count: MAX_TOTAL })
  if (that_day >= MAX_PER_DAY) throw invalidRequest('scheduled_too_many_that_day', { count: MAX_PER_DAY })
}

/** Reserves the media. Throws Invalid when another status took one of them meanwhile. */
export async function insertScheduled(
  tx: Context,
  { accountId, appId, mediaIds = [] }: StatusDraft,
  at: Date,
  params: ScheduledParams,
): Promise<string> {
  const { id } = await tx.db.one<Pick<ScheduledStatuses, 'id'>>(sql`
    insert into scheduled_statuses (account_id, app_id, scheduled_at, params)
    values (${accountId}, ${appId ?? null}, ${at}, ${JSON.stringify(params)}::jsonb) returning id`)
  if (mediaIds.length === 0) return id
  const reserved = await tx.db.run(sql`
    update media_attachments set scheduled_status_id = ${id}
    where id = any(${mediaIds}::bigint[]) and account_id = ${accountId} and ${isUnattached}`)
  if (reserved < mediaIds.length) throw new Invalid(message('media_missing'))
  return id
}

const scheduledColumns = sql`w.id, w.account_id, w.app_id, w.scheduled_at, w.params`

/** Most recently created first. */
export async function listScheduled(ctx: Context, accountId: string, page: Pagination): Promise<ScheduledRow[]> {
  const rows = await ctx.db.many<ScheduledRow>(sql`
    select ${scheduledColumns} from scheduled_statuses w
    where w.account_id = ${accountId} and ${onPage(sql`w.id`, page)}`)
  return newestFirst(rows, page)
}

/** Throws NotFound. */
export async function getScheduled(ctx: Context, accountId: string, id: string): Promise<ScheduledRow> {
  const row = await ctx.db.maybe<ScheduledRow>(
    sql`select ${scheduledColumns} from scheduled_statuses w where w.id = ${id} and w.account_id = ${accountId}`,
  )
  if (!row) throw new NotFound()
  return row
}

/** `may_post` is false when the author is disabled, suspended, memorial or has moved. */
export type DueStatus = ScheduledRow & { settings: UserSettings | null; locale: string | null; may_post: boolean }

/** Null before the time of publication. */
export const findDueScheduled = (ctx: Context, id: string): Promise<DueStatus | null> =>
  ctx.db.maybe<DueStatus>(sql`
    select ${scheduledColumns}, ${settingsColumn}, u.locale, u.id is not null and not u.disabled and not a.memorial and a.suspended_at is null and a.moved_to_id is null as may_post
    from scheduled_statuses w join accounts a on a.id = w.account_id left join users u on u.account_id = a.id
    where w.id = ${id} and w.scheduled_at <= now()`)

/** Returns false when the scheduled status was removed or moved. */
export const lockDueScheduled = async (tx: Context, id: string): Promise<boolean> =>
  (await tx.db.maybe(sql`select from scheduled_statuses where id = ${id} and scheduled_at <= now() for update`)) !==
  null

/** Finds statuses that are at least 10 minutes late. */
export async function findLateScheduled(ctx: Context): Promise<string[]> {
  const rows = await ctx.db.many<Pick<ScheduledStatuses, 'id'>>(
    sql`select id from scheduled_statuses where scheduled_at < now() - interval '10 minutes'`,
  )
  return rows.map(({ id }) => id)
}

/** Throws NotFound. */
export async function moveScheduled(tx: Context, accountId: string, id: string, at: Date): Promise<void> {
  const moved = await tx.db.run(
    sql`update scheduled_statuses set scheduled_at = ${at} where id = ${id} and account_id = ${accountId}`,
  )
  if (moved === 0) throw new NotFound()
}

/** The media can be attached for another day. Throws NotFound. */
export async function unschedule(ctx: Context, accountId: string, id: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const row = await tx.db.maybe(
      sql`select from scheduled_statuses where id = ${id} and account_id = ${accountId} for update`,
    )
    if (!row) throw new NotFound()
    await releaseMedia(tx, id)
    await deleteScheduled(tx, id)
  })
}

/** The media can be attached for another day. */
export async function releaseMedia(tx: Context, id: string): Promise<void> {
  await tx.db.run(
    sql`update media_attachments set scheduled_status_id = null, created_at = now() where scheduled_status_id = ${id}`,
  )
}

export async function deleteScheduled(tx: Context, id: string): Promise<void> {
  await tx.db.run(sql`delete from scheduled_statuses where id = ${id}`)
}
