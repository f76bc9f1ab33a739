// Rate limits of forms that name a user. All spellings of a username or mail address count together.

import type { Context } from '../context.ts'
import { loginOf } from '../domain/auth/sign-in.ts'
import { addressKey, limitUse } from './ratelimit.ts'

/** Call it before a password is checked: limits guesses by IP address, and by login. Throws TooMany. */
export async function limitSignIn(ctx: Context, ip: string, login: string): Promise<void> {
  await limitUse(ctx, 'sign-in', addressKey(ip))
  await limitUse(ctx, 'sign-in', `login ${loginOf(login)}`)
}

/** Call it before a mail is sent to the user of a login: limits mails by IP address, and by login. Throws TooMany. */
export async function limitMail(ctx: Context, ip: string, login: string): Promise<void> {
  await limitUse(ctx, 'mail', addressKey(ip))
  await limitUse(ctx, 'mail-address', loginOf(login))
}
