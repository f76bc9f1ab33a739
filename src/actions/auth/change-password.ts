import type { Context } from '../../context.ts'
import { writeMail } from '../../domain/auth/mails.ts'
import { findOneTimeToken, issueOneTimeToken, useOneTimeToken } from '../../domain/auth/one-time.ts'
import { findByLogin, lockEmailAndName, storePassword } from '../../domain/auth/sign-in.ts'
import { lockSession } from '../../domain/auth/sessions.ts'
import { hashPassword } from '../../domain/auth/passwords.ts'
import { passwordProblems, refuse } from '../../domain/auth/user-rules.ts'
import { Unauthorized } from '../../lib/errors.ts'
import { enqueueMail } from '../server/mail.ts'
import { endSessions } from './sessions.ts'
import { revokeTokensOf } from './tokens.ts'

/** The caller does not learn whether a user has this address or name. */
export async function sendPasswordReset(ctx: Context, login: string): Promise<void> {
  const user = await findByLogin(ctx, login)
  if (!user) return
  await ctx.transaction(async (tx) => {
    const token = await issueOneTimeToken(tx, 'password', { userId: user.id, email: user.email })
    const link = `${ctx.config.baseUrl}/auth/password/edit?reset_password_token=${token}`
    await enqueueMail(tx, await writeMail(tx, user.email, 'password_reset', { username: user.username, link }))
  })
}

/**
 * Sets a new password by a mailed link. Ends every session and revokes every token, since one of them may be an
 * attacker's. Returns the user; null for a link that was used, has expired, or went to a former address. Throws Invalid.
 */
export async function resetPasswordByLink(ctx: Context, token: string, password: string): Promise<string | null> {
  // Checked before the password is hashed, which costs far more than a request with a made-up token.
  if ((await findOneTimeToken(ctx, 'password', token)) === null) return null
  refuse(passwordProblems(password))
  const passwordHash = await hashPassword(password)
  return ctx.transaction(async (tx) => {
    const used = await useOneTimeToken(tx, 'password', token)
    if (!used?.user_id) return null
    // The address may have changed after the link was mailed.
    const user = await lockEmailAndName(tx, used.user_id)
    if (user.email !== used.email) return null
    await storePassword(tx, used.user_id, passwordHash)
    await mailChange(tx, user)
    await endSessions(tx, used.user_id)
    await revokeTokensOf(tx, used.user_id)
    return used.user_id
  })
}

/**
 * Ends the user's other sessions; tokens stay valid. Throws Invalid; Unauthorized when another new password has ended this
 * session.
 */
export async function changePassword(
  ctx: Context,
  session: { id: string; userId: string },
  password: string,
): Promise<void> {
  refuse(passwordProblems(password))
  const passwordHash = await hashPassword(password)
  await ctx.transaction(async (tx) => {
    await storePassword(tx, session.userId, passwordHash)
    if (!(await lockSession(tx, session.id))) throw new Unauthorized()
    const user = await lockEmailAndName(tx, session.userId)
    await mailChange(tx, user)
    await endSessions(tx, session.userId, { exceptId: session.id })
  })
}

async function mailChange(tx: Context, { email, username }: { email: string; username: string }): Promise<void> {
  const link = `${tx.config.baseUrl}/auth/password/new`
  await enqueueMail(tx, await writeMail(tx, email, 'password_changed', { username, link }))
}
