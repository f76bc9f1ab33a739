import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { AppError, Conflict, Invalid, invalidRequest } from '../../lib/errors.ts'
import type { UserSettings } from '../../domain/auth/viewer.ts'
import { composeStatus } from '../../domain/statuses/compose.ts'
import type { StatusDraft } from '../../domain/statuses/draft.ts'
import { claimKey, fulfilKey, passKeyOn } from '../../domain/statuses/idempotency.ts'
import { checkRoom, removeScheduled, type ScheduledParams, type ScheduledRow } from '../../domain/statuses/scheduled.ts'
import { publishStatus } from './publish.ts'

/**
 * Keeps a post until its time. `draft` is what it would be now: its media are held for it. Gives the id, also of one that was
 * made under the same key. Throws Invalid where the account has no room, or somebody else was faster to take the media.
 */
export async function scheduleStatus(
  ctx: Context,
  draft: StatusDraft,
  at: Date,
  params: ScheduledParams,
): Promise<string> {
  return ctx.transaction(async (tx) => {
    const key = params.idempotency
    if (key !== null) {
      const existing = await claimKey(tx, draft.accountId, key)
      if (existing?.statusId) throw new Conflict()
      if (existing?.scheduledId) return existing.scheduledId
    }
    await checkRoom(tx, draft.accountId, at)
    const { id } = await tx.db.one<{ id: string }>(sql`
      insert into scheduled_statuses (account_id, app_id, scheduled_at, params)
      values (${draft.accountId}, ${draft.appId ?? null}, ${at}, ${JSON.stringify(params)}::jsonb) returning id`)
    await holdMedia(tx, id, draft)
    if (key !== null) await fulfilKey(tx, draft.accountId, key, { scheduledId: id })
    await tx.enqueue('statuses.publish', { scheduledId: id }, { at })
    return id
  })
}

async function holdMedia(tx: Context, id: string, { accountId, mediaIds = [] }: StatusDraft): Promise<void> {
  if (mediaIds.length === 0) return
  const held = await tx.db.run(sql`
    update media_attachments set scheduled_status_id = ${id}
    where id = any(${mediaIds}::bigint[]) and account_id = ${accountId} and status_id is null and scheduled_status_id is null`)
  if (held < mediaIds.length) throw invalidRequest('media_missing')
}

type Waiting = ScheduledRow & { settings: UserSettings | null; locale: string | null; usable: boolean }

/**
 * Job `statuses.publish`: posts what waited, once, when its time has come; whoever moved or removed it meanwhile is respected.
 * What cannot be posted any more (whom it answered is gone, its author may not post) is dropped.
 */
export async function publishScheduled(ctx: Context, { scheduledId: id }: JobData['statuses.publish']): Promise<void> {
  const row = await ctx.db.maybe<Waiting>(sql`
    select w.*, u.settings, u.locale, u.id is not null and not u.disabled and a.suspended_at is null and a.moved_to_id is null as usable
    from scheduled_statuses w join accounts a on a.id = w.account_id left join users u on u.account_id = a.id
    where w.id = ${id} and w.scheduled_at <= now()`)
  if (!row) return
  try {
    if (!row.usable) throw new Invalid('The author may not post')
    const draft = await compose(ctx, row)
    await release(ctx, id, async (tx) => {
      const posted = await publishStatus(tx, draft)
      await passKeyOn(tx, id, posted.id)
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    ctx.log.info({ err: error, scheduledId: id }, 'a scheduled post cannot be posted any more')
    await release(ctx, id, async () => {})
  }
}

async function compose(
  ctx: Context,
  { id, account_id: accountId, app_id: appId, settings, locale, params }: Waiting,
): Promise<StatusDraft> {
  const { text, allowed_mentions: allowed, idempotency: _key, defaults, ...rest } = params
  const author = { accountId, appId, settings: settings ?? {}, locale: locale ?? 'en' }
  const draft = await composeStatus(ctx, author, { ...defaults, ...rest, status: text }, id)
  if (unexpectedMentions(draft, allowed).length > 0) throw new Invalid('The post would reach others than was meant')
  return draft
}

/** Removes a waiting post whose time has come and, in the same transaction, does what follows; unless another process did. */
async function release(ctx: Context, id: string, follow: (tx: Context) => Promise<void>): Promise<void> {
  await ctx.transaction(async (tx) => {
    const held = await tx.db.maybe(
      sql`select from scheduled_statuses where id = ${id} and scheduled_at <= now() for update`,
    )
    if (!held) return
    // The key goes over to the post before the row takes it along.
    await tx.db.run(
      sql`update media_attachments set scheduled_status_id = null, created_at = now() where scheduled_status_id = ${id}`,
    )
    await follow(tx)
    await removeScheduled(tx, id)
  })
}

/** Whom a post mentions beyond those that its author, or the author's application, expected. */
export function unexpectedMentions(draft: StatusDraft, allowed: readonly string[] | undefined): string[] {
  if (allowed === undefined) return []
  return (draft.mentionIds ?? []).filter((id) => id !== draft.accountId && !allowed.includes(id))
}

/** Adds jobs for posts and polls whose time has long come: should a job have been lost. */
export async function catchUp(ctx: Context): Promise<void> {
  const late = await ctx.db.many<{ id: string }>(
    sql`select id from scheduled_statuses where scheduled_at < now() - interval '10 minutes'`,
  )
  await ctx.enqueueMany(
    'statuses.publish',
    late.map(({ id }) => ({ scheduledId: id })),
  )
  const over = await ctx.db.many<{ id: string }>(sql`
    select p.id from polls p join statuses s on s.id = p.status_id
    where p.closed_at is null and p.expires_at < now() - interval '10 minutes' and p.expires_at > now() - interval '30 days'
      and (s.local or exists (select from poll_votes v where v.poll_id = p.id))
    order by p.expires_at desc limit 1000`)
  await ctx.enqueueMany(
    'polls.close',
    over.map(({ id }) => ({ pollId: id })),
  )
}
