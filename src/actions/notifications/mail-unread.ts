import type { Context } from '../../context.ts'
import { newestPage } from '../../db/page.ts'
import { writeMails } from '../../domain/auth/mails.ts'
import { listNotifications } from '../../domain/notifications/list.ts'
import {
  describeNotifications,
  listUsersToMail,
  markMailed,
  unsubscribeUrl,
  type MailedUser,
} from '../../domain/notifications/mails.ts'
import { messageLanguage } from '../../domain/server/languages.ts'
import { enqueueMails } from '../server/mail.ts'

/** Notifications that a mail names; it says when there are more. */
const NAMED = 20
const BATCH = 500

/** Task of the hourly clean-up: one mail for each user who is away, and has new notifications of the types that they chose. */
export async function mailUnreadNotifications(ctx: Context): Promise<void> {
  for (let after = '0'; ;) {
    const users = await listUsersToMail(ctx, after, BATCH)
    for (const user of users) await mailUnread(ctx, user)
    const last = users.at(-1)
    if (!last || users.length < BATCH) return
    after = last.id
  }
}

async function mailUnread(ctx: Context, user: MailedUser): Promise<void> {
  const { account_id: accountId, notifications_mailed_id: sinceId, types, email, locale, username } = user
  const page = { ...newestPage(NAMED + 1), sinceId }
  const unread = await listNotifications(ctx, { accountId }, page, { types, unread: true })
  const [newest] = unread
  if (!newest) return
  const named = unread.slice(0, NAMED).map(({ id }) => id)
  const lines = await describeNotifications(ctx, messageLanguage(locale), named)
  const unsubscribe = unsubscribeUrl(ctx, user.id)
  const about = {
    lines,
    hasMore: unread.length > NAMED,
    link: `${ctx.config.baseUrl}/notifications`,
    settings: `${ctx.config.baseUrl}/settings/preferences`,
    unsubscribe,
  }
  await ctx.transaction(async (tx) => {
    if (!(await markMailed(tx, user, newest.id))) return
    const mails = await writeMails(tx, [{ email, locale, username }], 'unread_notifications', about)
    await enqueueMails(
      tx,
      mails.map((mail) => ({ ...mail, unsubscribe })),
    )
  })
}
