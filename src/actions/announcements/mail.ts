import type { Context } from '../../context.ts'
import {
  advanceMailing,
  getActive,
  getAnnouncement,
  listMailedUsers,
} from '../../domain/announcements/announcements.ts'
import { writeMails } from '../../domain/auth/mails.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { NotFound } from '../../lib/errors.ts'
import { enqueueMails, mailUser } from '../server/mail.ts'

/** Shows a staff member the mail before it goes to everyone. Throws NotFound. */
export const mailAnnouncementTo = (ctx: Context, userId: string, announcementId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const { text: announcement } = await getAnnouncement(tx, announcementId)
    await mailUser(tx, userId, 'announcement', { announcement })
  })

const USERS_PER_JOB = 200

/**
 * Job `announcements.mail`: enqueues one mail for each user, page by page, while the announcement is published. May run twice.
 */
export const mailAnnouncement = (
  ctx: Context,
  { announcementId, after }: JobData['announcements.mail'],
): Promise<void> =>
  ctx.transaction(async (tx) => {
    const announcement = await getActive(tx, announcementId).catch((error: unknown) => {
      if (error instanceof NotFound) return null
      throw error
    })
    const users = announcement ? await listMailedUsers(tx, announcementId, after, USERS_PER_JOB) : []
    const last = users.at(-1)
    if (!announcement || !last || !(await advanceMailing(tx, announcementId, after, last.id))) return
    const about = { announcement: announcement.text }
    await enqueueMails(tx, await writeMails(tx, users, 'announcement', about))
    if (users.length === USERS_PER_JOB) await tx.enqueue('announcements.mail', { announcementId, after: last.id })
  })
