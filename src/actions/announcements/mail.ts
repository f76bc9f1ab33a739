import type { Context } from '../../context.ts'
import { advanceMailing, getActive } from '../../domain/announcements/announcements.ts'
import { announcementMails, listMailedUsers } from '../../domain/announcements/mails.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { NotFound } from '../../lib/errors.ts'
import { enqueueMails } from '../server/mail.ts'

const USERS_PER_JOB = 200

/** Job `announcements.mail`: enqueues one mail for each user, page by page, unless the announcement was taken down. May run twice. */
export const mailAnnouncement = (
  ctx: Context,
  { announcementId, after }: JobData['announcements.mail'],
): Promise<void> =>
  ctx.transaction(async (tx) => {
    const announcement = await getActive(tx, announcementId).catch((error: unknown) => {
      if (error instanceof NotFound) return null
      throw error
    })
    const users = announcement ? await listMailedUsers(tx, after, USERS_PER_JOB) : []
    const last = users.at(-1)
    if (!announcement || !last || !(await advanceMailing(tx, announcementId, after, last.id))) return
    await enqueueMails(tx, await announcementMails(tx, users, announcement.text))
    if (users.length === USERS_PER_JOB) await tx.enqueue('announcements.mail', { announcementId, after: last.id })
  })
