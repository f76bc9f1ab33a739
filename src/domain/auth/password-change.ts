import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { passwordChangedMail, resetMail } from './mails.ts'
import { dropOneTimeTokens, issueOneTimeToken, useOneTimeToken } from './one-time.ts'
import { hashPassword } from './passwords.ts'
import { refuse } from './problems.ts'
import { endSessionsOf } from './sessions.ts'
import { userWithLogin } from './sign-in.ts'
import { revokeTokensOf } from './tokens.ts'
import { passwordProblems } from './user-rules.ts'

/** Sends a link for a new password to whoever has this address or name. Says nothing about whether there is such a person. */
export async function sendPasswordReset(ctx: Context, login: string): Promise<void> {
  const user = await ctx.db.maybe<{ id: string; email: string; username: string }>(sql`
    select u.id, u.email, a.username from users u join accounts a on a.id = u.account_id where u.id = ${userWithLogin(login)}`)
  if (!user) return
  await ctx.transaction(async (tx) => {
    const token = await issueOneTimeToken(tx, 'password', { userId: user.id, email: user.email })
    const link = `${ctx.config.baseUrl}/auth/password/edit?reset_password_token=${token}`
    await tx.enqueue('mail.send', await resetMail(ctx, user.email, { username: user.username, link }))
  })
}

/**
 * Sets a new password through such a link. Whoever was signed in, in a browser or an application, no longer is: one of them
 * may be the reason. False when the link does not work (any more). Throws Invalid.
 */
export async function resetPassword(ctx: Context, token: string, password: string): Promise<boolean> {
  refuse(passwordProblems(password))
  const passwordHash = await hashPassword(password)
  return ctx.transaction(async (tx) => {
    const used = await useOneTimeToken(tx, 'password', token)
    if (!used?.user_id) return false
    await store(tx, used.user_id, passwordHash)
    await endSessionsOf(tx, used.user_id)
    await revokeTokensOf(tx, used.user_id)
    return true
  })
}

/** Sets a new password for somebody who knows the old one. Other browsers are signed out; applications stay. Throws Invalid. */
export async function changePassword(
  ctx: Context,
  session: { id: string; userId: string },
  password: string,
): Promise<void> {
  refuse(passwordProblems(password))
  const passwordHash = await hashPassword(password)
  await ctx.transaction(async (tx) => {
    await store(tx, session.userId, passwordHash)
    await endSessionsOf(tx, session.userId, session.id)
  })
}

async function store(tx: Context, userId: string, passwordHash: string): Promise<void> {
  const user = await tx.db.one<{ email: string; username: string }>(sql`
    update users u set password_hash = ${passwordHash} from accounts a where a.id = u.account_id and u.id = ${userId}
    returning u.email, a.username`)
  await dropOneTimeTokens(tx, 'password', userId)
  await tx.enqueue('mail.send', await passwordChangedMail(tx, user.email, user))
}
