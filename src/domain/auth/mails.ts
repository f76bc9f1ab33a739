// Mails in plain text and in the language of the recipient's settings.
import type { Context } from '../../context.ts'
import type { Accounts, Users } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import type { Mail } from '../../lib/mail.ts'
import { readUserAgent } from '../../lib/user-agent.ts'
import { MAILS } from '../../messages/mails.ts'
import type { Language } from '../../messages/message.ts'
import type { Attempt, MailTexts } from '../../messages/en/mails.ts'
import { messageLanguage } from '../server/languages.ts'
import { getSettings } from '../server/settings.ts'

export type MailKind = keyof MailTexts
export type MailParams<Kind extends MailKind> = Omit<Parameters<MailTexts[Kind]>[0], 'server'>
type AllParams<Kind extends MailKind> = MailParams<Kind> & { server: string }

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
  about: MailParams<Kind> & { username: string },
): Promise<Mail> {
  const { site_title: server } = await getSettings(ctx)
  return compose(ctx, kind, { ...about, server }, { to, language: await languageOfUser(ctx, about.username) })
}

export type MailRecipient = Pick<Users, 'email' | 'locale'> & Pick<Accounts, 'username'>

/** As writeMail, for many users at once. */
export async function writeMails<Kind extends MailKind>(
  ctx: Context,
  recipients: readonly MailRecipient[],
  kind: Kind,
  about: Omit<MailParams<Kind>, 'username'>,
): Promise<Mail[]> {
  const { site_title: server } = await getSettings(ctx)
  return recipients.map(({ email, locale, username }) =>
    compose(ctx, kind, { ...about, server, username } as AllParams<Kind>, {
      to: email,
      language: messageLanguage(locale),
    }),
  )
}

function compose<Kind extends MailKind>(
  ctx: Context,
  kind: Kind,
  about: AllParams<Kind>,
  { to, language }: { to: string; language: Language },
): Mail {
  const textOf = MAILS[language][kind] as (params: AllParams<Kind>) => ReturnType<MailTexts[Kind]>
  const { subject, lines } = textOf(about)
  const text = lines.filter((line) => line !== null).join('\n\n')
  return { to, subject, text: `${text}\n\n-- \n${about.server}\n${ctx.config.baseUrl}` }
}

/** The browser of a sign-in that is under way. */
export type SigningIn = { ip: string | null; userAgent: string }

/** By what a user recognises a sign-in of their own, in any language. */
export function describeAttempt({ ip, userAgent }: SigningIn): Attempt {
  const { browser, system } = readUserAgent(userAgent)
  const device = [browser, system].filter(Boolean).join(', ')
  return {
    ip: ip || null,
    device: device || null,
    time: `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  }
}
