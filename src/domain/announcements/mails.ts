import type { Context } from '../../context.ts'
import type { Accounts, Users } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import type { Mail } from '../../lib/mail.ts'
import { MAILS } from '../../messages/mails.ts'
import { messageLanguage } from '../server/languages.ts'
import { getSettings } from '../server/settings.ts'

export type MailedUser = Pick<Users, 'id' | 'email' | 'locale'> & Pick<Accounts, 'username'>

/** Those who may sign in, in the order of their ids. `after`: the id of the last user of the previous page. */
export const listMailedUsers = (ctx: Context, after: string, limit: number): Promise<MailedUser[]> =>
  ctx.db.many<MailedUser>(sql`
    select u.id, u.email, u.locale, a.username from users u join accounts a on a.id = u.account_id
    where u.id > ${after} and u.confirmed_at is not null and u.approved and not u.disabled and a.suspended_at is null
    order by u.id limit ${limit}`)

/** Each in the language of the user. */
export async function announcementMails(
  ctx: Context,
  users: readonly MailedUser[],
  announcement: string,
): Promise<Mail[]> {
  const { site_title: server } = await getSettings(ctx)
  return users.map(({ email, locale, username }) => {
    const { subject, lines } = MAILS[messageLanguage(locale)].announcement({ server, username, announcement })
    return { to: email, subject, text: `${lines.join('\n\n')}\n\n-- \n${server}\n${ctx.config.baseUrl}` }
  })
}
