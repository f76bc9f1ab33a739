import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context.ts'
import {
  deleteStoredAnnouncement,
  endOf,
  findDueAnnouncements,
  insertAnnouncement,
  lockAnnouncement,
  startAnnouncementMails,
  storePublished,
  updateAnnouncement,
  type AnnouncementRow,
  type AnnouncementFields,
} from '../../domain/announcements/announcements.ts'
import { insertAuditEntry } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { invalidFields, type ErrorDetails } from '../../lib/errors.ts'
import { extractEntities } from '../../lib/text/extract.ts'
import { message } from '../../messages/message.ts'
import { resolveUrl } from '../remote/resolve-url.ts'

export const MAX_ANNOUNCEMENT = 5000
/** Posts that an announcement refers to. The addresses of further ones in its text stay plain links. */
const MAX_STATUSES = 20

export type AnnouncementForm = {
  text: string
  startsAt: Date | null
  endsAt: Date | null
  allDay: boolean
  /** Mails all users once it is published. */
  mailsUsers: boolean
  /** `scheduledAt` is the time for `schedule`. A published announcement stays so. */
  when: 'draft' | 'now' | 'schedule'
  scheduledAt: Date | null
}

/** Returns the id. Throws Invalid with `details` that name every problem. */
export async function createAnnouncement(ctx: Context, staffId: StaffId, form: AnnouncementForm): Promise<string> {
  const fields = await checkAnnouncement(ctx, form)
  return ctx.transaction(async (tx) => {
    const id = await insertAnnouncement(tx, fields)
    await recordAct(tx, staffId, 'create', { id, ...fields })
    if (form.when === 'now') await publishNow(tx, staffId, id)
    await enqueueUpdates(tx, id, fields)
    return id
  })
}

/**
 * If the announcement is published, connected clients get the new text, and users a mail if it is wanted now and none was sent.
 * Does nothing for one that stays as it is. Throws NotFound, Invalid.
 */
export async function modifyAnnouncement(
  ctx: Context,
  staffId: StaffId,
  id: string,
  form: AnnouncementForm,
): Promise<void> {
  const fields = await checkAnnouncement(ctx, form)
  await ctx.transaction(async (tx) => {
    const before = await lockAnnouncement(tx, id)
    const scheduled = before.published ? { ...fields, scheduled_at: null } : fields
    const isPublishedNow = !before.published && form.when === 'now'
    if (!isPublishedNow && isDeepStrictEqual({ ...before, ...scheduled }, before)) return
    await updateAnnouncement(tx, id, scheduled)
    await recordAct(tx, staffId, 'update', { id, ...fields })
    if (before.published) await spread(tx, id, { mail: before.mailed_at === null })
    else if (isPublishedNow) await publishNow(tx, staffId, id)
    await enqueueUpdates(tx, id, scheduled)
  })
}

async function checkAnnouncement(ctx: Context, form: AnnouncementForm): Promise<AnnouncementFields> {
  const text = form.text.trim()
  const details: ErrorDetails = {}
  if (text === '') details['text'] = [{ error: 'ERR_BLANK', description: message('blank') }]
  if ([...text].length > MAX_ANNOUNCEMENT)
    details['text'] = [{ error: 'ERR_TOO_LONG', description: message('too_long', { count: MAX_ANNOUNCEMENT }) }]
  const { startsAt, endsAt, allDay } = form
  if (startsAt && endsAt && (allDay ? endsAt < startsAt : endsAt <= startsAt))
    details['ends_at'] = [{ error: 'ERR_INVALID', description: message('before_start') }]
  if (form.when === 'schedule' && form.scheduledAt === null)
    details['scheduled_at'] = [{ error: 'ERR_BLANK', description: message('blank') }]
  if (Object.keys(details).length > 0) throw invalidFields(details)
  return {
    text,
    starts_at: startsAt,
    ends_at: endsAt,
    all_day: allDay,
    mails_users: form.mailsUsers,
    scheduled_at: form.when === 'schedule' ? form.scheduledAt : null,
    status_ids: await findLinkedStatuses(ctx, text),
  }
}

async function findLinkedStatuses(ctx: Context, text: string): Promise<string[]> {
  const urls = extractEntities(text).flatMap((entity) => (entity.kind === 'url' ? entity.url : []))
  const resolved = await Promise.all(
    [...new Set(urls)].slice(0, MAX_STATUSES).map((url) => resolveUrl(ctx, url, { fetch: false })),
  )
  return resolved.flatMap((one) => (one && 'statusId' in one ? one.statusId : []))
}

/** Throws NotFound. */
export const publishAnnouncement = (ctx: Context, staffId: StaffId, id: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    if (!(await lockAnnouncement(tx, id)).published) await publishNow(tx, staffId, id)
  })

/** Throws NotFound. */
export const unpublishAnnouncement = (ctx: Context, staffId: StaffId, id: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const before = await lockAnnouncement(tx, id)
    if (!before.published && before.scheduled_at === null) return
    await storePublished(tx, id, false)
    await recordAct(tx, staffId, 'unpublish', before)
    if (before.published) tx.publish({ type: 'announcement.deleted', id })
  })

/** Throws NotFound. */
export const deleteAnnouncement = (ctx: Context, staffId: StaffId, id: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const before = await lockAnnouncement(tx, id)
    await deleteStoredAnnouncement(tx, id)
    await recordAct(tx, staffId, 'delete', before)
    if (before.published) tx.publish({ type: 'announcement.deleted', id })
  })

async function publishNow(tx: Context, staffId: StaffId, id: string): Promise<void> {
  const announcement = await lockAnnouncement(tx, id)
  await storePublished(tx, id, true)
  await recordAct(tx, staffId, 'publish', announcement)
  await spread(tx, id)
}

/** `mail`: also mails it to all users or, if it was taken down meanwhile, to those without its mail. */
async function spread(tx: Context, id: string, { mail = true } = {}): Promise<void> {
  tx.publish({ type: 'announcement.published', id })
  const after = mail ? await startAnnouncementMails(tx, id) : null
  if (after !== null) await tx.enqueue('announcements.mail', { announcementId: id, after })
}

async function enqueueUpdates(tx: Context, announcementId: string, fields: AnnouncementFields): Promise<void> {
  for (const at of [fields.scheduled_at, endOf(fields)])
    if (at) await tx.enqueue('announcements.update', { announcementId }, { at })
}

/** Job `announcements.update`: publishes a scheduled announcement, or takes one down that has ended. May run at any time. */
export const updatePublication = (ctx: Context, { announcementId }: JobData['announcements.update']): Promise<void> =>
  ctx.transaction(async (tx) => {
    // Two jobs may run at once.
    const due = await findDueAnnouncements(tx, announcementId)
    if (due.length === 0) return
    const { published, ended } = await lockAnnouncement(tx, announcementId)
    if (published !== ended) return
    await storePublished(tx, announcementId, !published)
    if (published) tx.publish({ type: 'announcement.deleted', id: announcementId })
    else await spread(tx, announcementId)
  })

/** Clean-up task: in case a job was lost. */
export const enqueueLateAnnouncements = async (ctx: Context): Promise<void> =>
  ctx.enqueueMany(
    'announcements.update',
    (await findDueAnnouncements(ctx)).map((announcementId) => ({ announcementId })),
  )

const LABEL_LENGTH = 60

async function recordAct(
  tx: Context,
  staffId: StaffId,
  action: 'create' | 'update' | 'publish' | 'unpublish' | 'delete',
  { id, text }: Pick<AnnouncementRow, 'id' | 'text'>,
): Promise<void> {
  await insertAuditEntry(tx, staffId, {
    type: 'announcement',
    action,
    id,
    label: [...text].slice(0, LABEL_LENGTH).join(''),
  })
}
