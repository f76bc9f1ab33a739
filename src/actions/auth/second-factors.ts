// Changes of a user's second factors, and attempts to guess one. The user learns of them by mail, as another person may make
// them.
import type { Context } from '../../context.ts'
import { describeAttempt, type MailParams, type SigningIn } from '../../domain/auth/mails.ts'
import { registerPasskey } from '../../domain/auth/passkeys.ts'
import { confirmTotp } from '../../domain/auth/totp.ts'
import {
  hasSecondFactor,
  issueFirstRecoveryCodes,
  issueRecoveryCodes,
  removePasskey,
  removeSecondFactors,
  removeTotp,
} from '../../domain/auth/two-factor.ts'
import { mailUser } from '../server/mail.ts'

type Change = MailParams<'two_factor_changed'>['change']

const mailChange = (tx: Context, userId: string, change: Change): Promise<void> =>
  mailUser(tx, userId, 'two_factor_changed', { change, link: `${tx.config.baseUrl}/settings/two_factor` })

/** Recovery codes come with the first factor; null for those that follow. */
type Added = { codes: string[] | null }

/** Null for a wrong code, or without an offer. */
export const addAuthenticator = (ctx: Context, userId: string, code: string): Promise<Added | null> =>
  ctx.transaction(async (tx) => {
    if (!(await confirmTotp(tx, userId, code))) return null
    await mailChange(tx, userId, 'app_added')
    return { codes: await issueFirstRecoveryCodes(tx, userId) }
  })

/** Throws as `registerPasskey`. */
export const addPasskey = (
  ctx: Context,
  userId: string,
  { name, answer }: { name: string; answer: string },
): Promise<Added> =>
  ctx.transaction(async (tx) => {
    await registerPasskey(tx, userId, name, answer)
    await mailChange(tx, userId, 'passkey_added')
    return { codes: await issueFirstRecoveryCodes(tx, userId) }
  })

export const dropAuthenticator = (ctx: Context, userId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    if (await removeTotp(tx, userId)) await mailChange(tx, userId, 'app_removed')
  })

/** False when the user has no such passkey. */
export const dropPasskey = (ctx: Context, userId: string, id: string): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const isRemoved = await removePasskey(tx, userId, id)
    if (isRemoved) await mailChange(tx, userId, 'passkey_removed')
    return isRemoved
  })

export const renewRecoveryCodes = (ctx: Context, userId: string): Promise<string[]> =>
  ctx.transaction(async (tx) => {
    await mailChange(tx, userId, 'new_codes')
    return issueRecoveryCodes(tx, userId)
  })

/** After the right password, and wrong codes until the step ended: another person may know the password. */
export const warnOfWrongCodes = (ctx: Context, userId: string, from: SigningIn): Promise<void> =>
  ctx.transaction((tx) =>
    mailUser(tx, userId, 'wrong_codes', {
      attempt: describeAttempt(from),
      link: `${tx.config.baseUrl}/auth/password/new`,
    }),
  )

/** Removes all second factors of a user, for administrators. */
export async function turnOffSecondFactors(tx: Context, userId: string): Promise<void> {
  const hadFactor = await hasSecondFactor(tx, userId)
  await removeSecondFactors(tx, userId)
  if (hadFactor) await mailChange(tx, userId, 'turned_off')
}
