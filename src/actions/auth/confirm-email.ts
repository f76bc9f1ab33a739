import type { Context } from '../../context.ts'
import {
  confirmationOf,
  findUnconfirmedUser,
  getAddressee,
  lockAddressee,
  lockEmail,
  storeConfirmedEmail,
  storeUnconfirmedEmail,
} from '../../domain/auth/confirmation.ts'
import { writeMail } from '../../domain/auth/mails.ts'
import {
  deleteOneTimeTokens,
  findOneTimeToken,
  issueOneTimeToken,
  useOneTimeToken,
} from '../../domain/auth/one-time.ts'
import { lockSession } from '../../domain/auth/sessions.ts'
import { checkWantedEmail, isSignUpBlocked, refuse, takenProblems } from '../../domain/auth/user-rules.ts'
import { refuseTaken } from '../../domain/auth/users.ts'
import { getSettings } from '../../domain/server/settings.ts'
import { Forbidden, Unauthorized } from '../../lib/errors.ts'
import { enqueueMail } from '../server/mail.ts'
import { mailStaffAboutApplicant } from '../moderation/mail-staff.ts'
import { welcomeUser } from './welcome.ts'

/** Mails the new address if one awaits its confirmation. Earlier links stop working. */
export const sendConfirmation = (ctx: Context, userId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const user = await getAddressee(tx, userId)
    const email = user.unconfirmed_email ?? user.email
    const token = await issueOneTimeToken(tx, 'confirmation', { userId, email })
    const about = { ...user, link: `${ctx.config.baseUrl}/auth/confirmation?confirmation_token=${token}` }
    const kind = user.unconfirmed_email === null ? 'confirmation' : 'new_address'
    await enqueueMail(tx, await writeMail(tx, email, kind, about))
  })

/** The caller does not learn whether a user has this address. */
export async function resendConfirmationMail(ctx: Context, email: string): Promise<void> {
  const userId = await findUnconfirmedUser(ctx, email)
  if (userId !== null) await sendConfirmation(ctx, userId)
}

/**
 * A confirmed address stays in use until the new one is confirmed. The blocks for sign-ups hold for the new one: otherwise a user
 * could sign up with another address and then change to a blocked one. Throws Invalid; with `unless: 'confirmed'`, Forbidden for
 * a user who has a confirmed address; with `sessionId`, Unauthorized when that session has ended, as a new password ends the
 * changes that were asked for before.
 */
export async function changeEmail(
  ctx: Context,
  userId: string,
  email: string,
  { unless = null, sessionId = null }: { unless?: 'confirmed' | null; sessionId?: string | null } = {},
): Promise<void> {
  const { problems, needsApproval } = await checkWantedEmail(ctx, email)
  await refuseTaken(() =>
    ctx.transaction(async (tx) => {
      const user = await lockEmail(tx, userId)
      if (sessionId !== null && !(await lockSession(tx, sessionId))) throw new Unauthorized()
      if (user.confirmed && unless === 'confirmed') throw new Forbidden()
      const isOwn = email.toLowerCase() === user.email.toLowerCase()
      refuse([...problems, ...(isOwn ? [] : await takenProblems(tx, { email }))])
      await storeUnconfirmedEmail(tx, userId, email, { ...user, needsApproval })
      await sendConfirmation(tx, userId)
    }),
  )
}

/**
 * Whether the user of the link must do a proof of work first: the settings require it, and the user signed up through an
 * application, which could not ask for it.
 */
export async function needsCaptcha(ctx: Context, token: string): Promise<boolean> {
  if (!(await getSettings(ctx)).captcha_enabled) return false
  const found = await findOneTimeToken(ctx, 'confirmation', token)
  if (!found?.user_id) return false
  const { confirmed, app_id: appId } = await confirmationOf(ctx, found.user_id)
  return !confirmed && appId !== null
}

/** Whether a new user who awaits approval no longer needs it, because registrations have been opened since the sign-up. */
async function isApprovedByNow(ctx: Context, token: string): Promise<boolean> {
  if ((await getSettings(ctx)).registrations_mode !== 'open') return false
  const found = await findOneTimeToken(ctx, 'confirmation', token)
  if (!found?.user_id) return false
  const user = await getAddressee(ctx, found.user_id)
  return !user.confirmed && !user.approved && !(await isSignUpBlocked(ctx, user))
}

/** Ends the links for a new password, which went to the former address, and tells that address of the new one. */
export async function retireAddress(
  tx: Context,
  { userId, username, email }: { userId: string; username: string; email: string },
  { newAddress }: { newAddress: string },
): Promise<void> {
  await deleteOneTimeTokens(tx, 'password', userId)
  await enqueueMail(tx, await writeMail(tx, email, 'address_changed', { username, newAddress }))
}

export type ConfirmedUser = { username: string; approved: boolean; app: string | null }

/**
 * Null for a link that was used, replaced or has expired. Throws Invalid when another user has taken the address. The first
 * confirmation of an approved user enqueues the sign-up notification; that of a user who awaits approval mails staff.
 */
export async function confirmEmail(ctx: Context, token: string): Promise<ConfirmedUser | null> {
  const needsNoApproval = await isApprovedByNow(ctx, token)
  return refuseTaken(() =>
    ctx.transaction(async (tx) => {
      const used = await useOneTimeToken(tx, 'confirmation', token)
      if (!used?.user_id || !used.email) return null
      const before = await lockAddressee(tx, used.user_id)
      if (used.email !== (before.unconfirmed_email ?? before.email)) return null
      const approved = before.approved || needsNoApproval
      await storeConfirmedEmail(tx, used.user_id, { email: used.email, approved })
      if (before.unconfirmed_email !== null)
        await retireAddress(tx, { userId: used.user_id, ...before }, { newAddress: used.email })
      if (!before.confirmed)
        await (approved ? welcomeUser(tx, before.account_id) : mailStaffAboutApplicant(tx, before.account_id))
      tx.publish({ type: 'user.changed', userId: used.user_id })
      return { ...before, approved }
    }),
  )
}
