// Mails in plain text and in the language of the recipient's settings.
import type { Context } from '../../context.ts'
import type { Accounts, Users } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import type { Mail } from '../../lib/mail.ts'
import { MAILS } from '../../messages/mails.ts'
import type { Language } from '../../messages/message.ts'
import type { MailTexts } from '../../messages/en/mails.ts'
import { messageLanguage } from '../server/languages.ts'
import { getSettings } from '../server/settings.ts'

type MailKind = keyof MailTexts
type About<Kind extends MailKind> = Omit<Parameters<MailTexts[Kind]>[0], 'server'>

/** English where the catalogue lacks the user's language. */
async function languageOfUser(ctx: Context, username: string): Promise<Language> {
  const user = await ctx.db.maybe<Pick<Users, 'locale'>>(sql`
    select u.locale from users u join accounts a on a.id = u.account_id
    where lower(a.username) = lower(${username}) and a.domain is null`)
  return messageLanguage(user?.locale ?? 'en')
}

/** Adds the name and the address of the server to the text. `username`: of the recipient. */
export async function writeMail<Kind extends MailKind>(
  ctx: Context,
  to: string,
  kind: Kind,
  about: About<Kind> & { username: string },
): Promise<Mail> {
  const { site_title: server } = await getSettings(ctx)
  return write(ctx, to, kind, { ...about, server }, await languageOfUser(ctx, about.username))
}

function write<Kind extends MailKind>(
  ctx: Context,
  to: string,
  kind: Kind,
  about: About<Kind> & { server: string },
  language: Language,
): Mail {
  const { server } = about
  const textOf = MAILS[language][kind] as (params: About<Kind> & { server: string }) => ReturnType<MailTexts[Kind]>
  const { subject, lines } = textOf(about)
  const text = lines.filter((line) => line !== null).join('\n\n')
  return { to, subject, text: `${text}\n\n-- \n${server}\n${ctx.config.baseUrl}` }
}

export const confirmationMail = (ctx: Context, to: string, about: About<'confirmation'>): Promise<Mail> =>
  writeMail(ctx, to, 'confirmation', about)

/** For the new address of an existing account: the link that confirms it. */
export const newAddressMail = (ctx: Context, to: string, about: About<'new_address'>): Promise<Mail> =>
  writeMail(ctx, to, 'new_address', about)

/** For the previous address, after the change. */
export const addressChangedMail = (ctx: Context, to: string, about: About<'address_changed'>): Promise<Mail> =>
  writeMail(ctx, to, 'address_changed', about)

export const resetMail = (ctx: Context, to: string, about: About<'password_reset'>): Promise<Mail> =>
  writeMail(ctx, to, 'password_reset', about)

export const passwordChangedMail = (
  ctx: Context,
  to: string,
  { username }: Pick<About<'password_changed'>, 'username'>,
): Promise<Mail> =>
  writeMail(ctx, to, 'password_changed', { username, link: `${ctx.config.baseUrl}/auth/password/new` })

/** For a staff member. `reporter` and `target` are handles; `reporter` is the server of a remote account. */
export const reportMail = (ctx: Context, to: string, about: About<'report'>): Promise<Mail> =>
  writeMail(ctx, to, 'report', about)

/** For a staff member: what they may approve for trends. `link`: where. */
export const trendsMail = (ctx: Context, to: string, about: About<'trends'>): Promise<Mail> =>
  writeMail(ctx, to, 'trends', about)

type TermsRecipient = Pick<Users, 'email' | 'locale'> & Pick<Accounts, 'username'>

/** About a version of the terms of service, for many users at once. `effective_date`: YYYY-MM-DD. */
export async function termsChangedMails(
  ctx: Context,
  recipients: readonly TermsRecipient[],
  { effective_date: date, changelog }: { effective_date: string; changelog: string },
): Promise<Mail[]> {
  const { site_title: server } = await getSettings(ctx)
  const link = `${ctx.config.baseUrl}/terms-of-service/${date}`
  return recipients.map(({ email, locale, username }) =>
    write(ctx, email, 'terms_changed', { server, username, link, date, changelog }, messageLanguage(locale)),
  )
}
