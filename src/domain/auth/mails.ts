// The mails about somebody's own sign-in. Plain text, one link, no names of the sender but the server's.
import type { Context } from '../../context.ts'
import type { Mail } from '../../jobs/kinds.ts'
import { getSettings } from '../server/settings.ts'

type Letter = { subject: string; lines: (string | null | false)[] }

async function write(ctx: Context, to: string, letter: (server: string) => Letter): Promise<Mail> {
  const { site_title } = await getSettings(ctx)
  const { subject, lines } = letter(site_title)
  const text = lines.filter((line) => typeof line === 'string').join('\n\n')
  return { to, subject, text: `${text}\n\n-- \n${site_title}\n${ctx.config.baseUrl}` }
}

/** To somebody new: the link that proves the address is theirs. */
export function confirmationMail(
  ctx: Context,
  to: string,
  about: { username: string; link: string; app: string | null; approved: boolean },
): Promise<Mail> {
  return write(ctx, to, (server) => ({
    subject: `Confirm your e-mail address for ${server}`,
    lines: [
      `Welcome to ${server}, @${about.username}!`,
      'Follow this link to confirm that this is your e-mail address:',
      about.link,
      about.app !== null && `Afterwards you can go on in ${about.app}.`,
      !about.approved &&
        'The people who run this server look at each request to join. You will hear from them after you have confirmed your address.',
      'The link works for seven days. If it was not you who signed up, ignore this mail: without the link the account stays unused.',
    ],
  }))
}

/** To a new address of somebody known. */
export function newAddressMail(ctx: Context, to: string, about: { username: string; link: string }): Promise<Mail> {
  return write(ctx, to, (server) => ({
    subject: `Confirm your new e-mail address for ${server}`,
    lines: [
      `@${about.username} wants to use this address on ${server} from now on. Follow this link to confirm it:`,
      about.link,
      'The link works for seven days. If that is not you, ignore this mail: nothing changes without the link.',
    ],
  }))
}

/** To the address that was in use until now. */
export function addressChangedMail(
  ctx: Context,
  to: string,
  about: { username: string; newAddress: string },
): Promise<Mail> {
  return write(ctx, to, (server) => ({
    subject: `Your e-mail address on ${server} was changed`,
    lines: [
      `The account @${about.username} now uses the address ${about.newAddress}. Mails no longer go to this one.`,
      'If it was not you who changed it, write to the people who run the server at once.',
    ],
  }))
}

/** To somebody who cannot sign in. */
export function resetMail(ctx: Context, to: string, about: { username: string; link: string }): Promise<Mail> {
  return write(ctx, to, (server) => ({
    subject: `Choose a new password for ${server}`,
    lines: [
      `Somebody, hopefully you, asked for a new password for @${about.username} on ${server}. Follow this link to choose one:`,
      about.link,
      'The link works for six hours. If it was not you, ignore this mail: your password stays as it is.',
    ],
  }))
}

/** To somebody whose password is another one now. */
export function passwordChangedMail(ctx: Context, to: string, about: { username: string }): Promise<Mail> {
  return write(ctx, to, (server) => ({
    subject: `Your password on ${server} was changed`,
    lines: [
      `The password of @${about.username} was changed just now.`,
      'If it was not you, ask for a new password here, and write to the people who run the server:',
      `${ctx.config.baseUrl}/auth/password/new`,
    ],
  }))
}
