import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { enqueueMail } from '../server/mail.ts'
import { passwordChangedMail, resetMail } from './mails.ts'
import { dropOneTimeTokens, findOneTimeToken, issueOneTimeToken, useOneTimeToken } from './one-time.ts'
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
    await enqueueMail(tx, await resetMail(tx, user.email, { username: user.username, link }))
  })
}

/**
 * Sets a new password through such a link. Whoever was signed in, in a browser or an application, no longer is: one of them
 * may be the reason. False when the link does not work (any more), or went to another address. Throws Invalid.
 */
export async function resetPassword(ctx: Context, token: string, password: string): Promise<boolean> {
  // Before the password is hashed, which costs far more than it does to ask for it with any token.
  if ((await findOneTimeToken(ctx, 'password', token)) === null) return false
  refuse(passwordProblems(password))
  const passwordHash = await hashPassword(password)
  return ctx.transaction(async (tx) => {
    const used = await useOneTimeToken(tx, 'password', token)
    if (!used?.user_id) return false
    // The address may have been changed while the link to the former one was being made.
    const user = await tx.db.one<{ email: string }>(
      sql`select email from users where id = ${used.user_id} for no key update`,
    )
    if (user.email !== used.email) return false
    await storePassword(tx, used.user_id, passwordHash)
    await tellOfChange(tx, used.user_id)
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
    await storePassword(tx, session.userId, passwordHash)
    await tellOfChange(tx, session.userId)
    await endSessionsOf(tx, session.userId, session.id)
  })
}

/** Stores a password. Links for another one, and sign-ins that wait for their second step, are worth nothing any more. */
export async function storePassword(tx: Context, userId: string, passwordHash: string): Promise<void> {
  await tx.db.run(sql`update users set password_hash = ${passwordHash} where id = ${userId}`)
  await dropOneTimeTokens(tx, 'password', userId)
  await tx.db.run(sql`delete from sign_in_steps where user_id = ${userId}`)
}

async function tellOfChange(tx: Context, userId: string): Promise<void> {
  const user = await tx.db.one<{ email: string; username: string }>(
    sql`select u.email, a.username from users u join accounts a on a.id = u.account_id where u.id = ${userId}`,
  )
  await enqueueMail(tx, await passwordChangedMail(tx, user.email, user))
}
