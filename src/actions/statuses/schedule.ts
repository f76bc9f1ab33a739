import type { Context } from '../../context.ts'
import type { StatusDraft } from '../../domain/statuses/draft.ts'
import { claimKey, fulfilKey, moveKey } from '../../domain/statuses/idempotency.ts'
import { findUnclosedPolls } from '../../domain/statuses/polls/votes.ts'
import {
  checkLimits,
  deleteScheduled,
  findDueScheduled,
  findLateScheduled,
  insertScheduled,
  lockDueScheduled,
  moveScheduled,
  releaseMedia,
  timeToMove,
  type DueStatus,
  type ScheduledParams,
} from '../../domain/statuses/scheduled.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { AppError, Conflict, Invalid } from '../../lib/errors.ts'
import { composeStatus } from './compose.ts'
import { publishStatus } from './publish.ts'

/**
 * `draft` is the status as it would be now; its media are reserved. Returns the id, also of the scheduled status that the
 * same `Idempotency-Key` made before. Throws Invalid above the limits, or when another status took the media.
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
    await checkLimits(tx, draft.accountId, at)
    const id = await insertScheduled(tx, draft, at, params)
    if (key !== null) await fulfilKey(tx, draft.accountId, key, { scheduledId: id })
    await tx.enqueue('statuses.publish', { scheduledId: id }, { at })
    return id
  })
}

/** Throws NotFound; Invalid for an invalid date, too soon a time, and above the limits. */
export async function reschedule(ctx: Context, accountId: string, id: string, time: string): Promise<void> {
  const at = timeToMove(time)
  await ctx.transaction(async (tx) => {
    await checkLimits(tx, accountId, at, id)
    await moveScheduled(tx, accountId, id, at)
    await tx.enqueue('statuses.publish', { scheduledId: id }, { at })
  })
}

/**
 * Job `statuses.publish`: publishes a scheduled status, once, unless it was moved or removed. Drops a status that can no longer
 * be published, for example when its parent is gone or its author may not post.
 */
export async function publishScheduled(ctx: Context, { scheduledId }: JobData['statuses.publish']): Promise<void> {
  const due = await findDueScheduled(ctx, scheduledId)
  if (!due) return
  try {
    await publishOrDrop(ctx, scheduledId, await composeDue(ctx, due))
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    ctx.log.info({ err: error, scheduledId }, 'scheduled-status.dropped')
    await publishOrDrop(ctx, scheduledId, null)
  }
}

async function composeDue(ctx: Context, due: DueStatus): Promise<StatusDraft> {
  if (!due.may_post) throw new Invalid('The author may not post')
  const { account_id: accountId, app_id: appId, settings, locale, params } = due
  const { text, allowed_mentions: allowed, idempotency: _key, defaults, ...rest } = params
  const author = { accountId, appId, settings: settings ?? {}, locale: locale ?? 'en' }
  const draft = await composeStatus(ctx, author, { ...defaults, ...rest, status: text }, due.id)
  if (unexpectedMentions(draft, allowed).length > 0) throw new Invalid('The post would mention unexpected accounts')
  return draft
}

/** `draft`: null to drop the status. Does nothing when another process was faster. */
async function publishOrDrop(ctx: Context, scheduledId: string, draft: StatusDraft | null): Promise<void> {
  await ctx.transaction(async (tx) => {
    if (!(await lockDueScheduled(tx, scheduledId))) return
    await releaseMedia(tx, scheduledId)
    // The key moves before the scheduled status is deleted, which would delete it.
    if (draft) await moveKey(tx, scheduledId, (await publishStatus(tx, draft)).id)
    await deleteScheduled(tx, scheduledId)
  })
}

/** The mentioned accounts that the client does not expect. Undefined `allowed` allows all. */
export function unexpectedMentions(draft: StatusDraft, allowed: readonly string[] | undefined): string[] {
  if (allowed === undefined) return []
  return (draft.mentionIds ?? []).filter((id) => id !== draft.accountId && !allowed.includes(id))
}

/** Clean-up task: enqueues jobs for late scheduled statuses and polls again, in case a job was lost. */
export async function enqueueLateJobs(ctx: Context): Promise<void> {
  const scheduledIds = await findLateScheduled(ctx)
  await ctx.enqueueMany(
    'statuses.publish',
    scheduledIds.map((scheduledId) => ({ scheduledId })),
  )
  const pollIds = await findUnclosedPolls(ctx)
  await ctx.enqueueMany(
    'polls.close',
    pollIds.map((pollId) => ({ pollId })),
  )
}
