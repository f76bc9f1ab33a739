import type { Context } from '../../context.ts'
import { isDuplicate } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { Forbidden } from '../../lib/errors.ts'
import { enqueueMail } from '../server/mail.ts'
import { addressChangedMail, confirmationMail, newAddressMail } from './mails.ts'
import { dropOneTimeTokens, issueOneTimeToken, useOneTimeToken } from './one-time.ts'
import { refuse, taken } from './problems.ts'
import { emailProblems, takenProblems } from './user-rules.ts'

type Addressee = {
  username: string
  email: string
  unconfirmed_email: string | null
  approved: boolean
  app: string | null
}

const link = (ctx: Context, token: string): string =>
  `${ctx.config.baseUrl}/auth/confirmation?confirmation_token=${token}`

/** Sends the confirmation link to the address that awaits it. Links sent before stop working. */
export async function sendConfirmation(ctx: Context, userId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const user = await tx.db.one<Addressee>(sql`
      select a.username, u.email, u.unconfirmed_email, u.approved, app.name as app
      from users u join accounts a on a.id = u.account_id left join oauth_apps app on app.id = u.created_by_app_id where u.id = ${userId}`)
    const email = user.unconfirmed_email ?? user.email
    const about = { ...user, link: link(ctx, await issueOneTimeToken(tx, 'confirmation', { userId, email })) }
    await enqueueMail(
      tx,
      await (user.unconfirmed_email === null ? confirmationMail(tx, email, about) : newAddressMail(tx, email, about)),
    )
  })
}

/** Sends another confirmation link to somebody with this address who still needs one. Says nothing about whether there is. */
export async function resendConfirmation(ctx: Context, email: string): Promise<void> {
  const user = await ctx.db.maybe<{ id: string }>(
    sql`select id from users where lower(email) = lower(${email}) and confirmed_at is null`,
  )
  if (user) await sendConfirmation(ctx, user.id)
}

/**
 * Changes the address of somebody, and sends the confirmation link there. Who has confirmed one before keeps it until the
 * new one is confirmed. Throws Invalid; with `unless: 'confirmed'` Forbidden for whoever has confirmed one, also just now.
 */
export async function changeEmail(
  ctx: Context,
  userId: string,
  email: string,
  { unless = null }: { unless?: 'confirmed' | null } = {},
): Promise<void> {
  const problems = await emailProblems(ctx, email)
  await refusingTaken(() =>
    ctx.transaction(async (tx) => {
      const user = await tx.db.one<{ email: string; confirmed: boolean }>(
        sql`select email, confirmed_at is not null as confirmed from users where id = ${userId} for no key update`,
      )
      if (user.confirmed && unless === 'confirmed') throw new Forbidden()
      const isOwn = email.toLowerCase() === user.email.toLowerCase()
      refuse([...problems, ...(isOwn ? [] : await takenProblems(tx, { email }))])
      await tx.db.run(
        user.confirmed
          ? sql`update users set unconfirmed_email = ${email} where id = ${userId}`
          : sql`update users set email = ${email} where id = ${userId}`,
      )
      await sendConfirmation(tx, userId)
    }),
  )
}

export type Confirmed = { username: string; approved: boolean; app: string | null }

/** Uses a confirmation link. Null when it does not work (any more). Throws Invalid when somebody else has the address by now. */
export async function confirmEmail(ctx: Context, token: string): Promise<Confirmed | null> {
  return refusingTaken(() =>
    ctx.transaction(async (tx) => {
      const used = await useOneTimeToken(tx, 'confirmation', token)
      if (!used?.user_id || !used.email) return null
      const before = await tx.db.one<Addressee & { account_id: string; confirmed: boolean }>(sql`
        select a.username, u.email, u.unconfirmed_email, u.approved, app.name as app, u.account_id, u.confirmed_at is not null as confirmed
        from users u join accounts a on a.id = u.account_id left join oauth_apps app on app.id = u.created_by_app_id
        where u.id = ${used.user_id} for update of u`)
      if (used.email !== (before.unconfirmed_email ?? before.email)) return null
      await tx.db.run(sql`
        update users set email = ${used.email}, unconfirmed_email = null, confirmed_at = coalesce(confirmed_at, now()) where id = ${used.user_id}`)
      if (before.unconfirmed_email !== null) {
        // Whoever reads the former address has no more say: links for a new password went there.
        await dropOneTimeTokens(tx, 'password', used.user_id)
        const about = { username: before.username, newAddress: used.email }
        await enqueueMail(tx, await addressChangedMail(tx, before.email, about))
      }
      // Who still awaits approval has joined only then.
      if (!before.confirmed && before.approved)
        await tx.enqueue('notifications.sign-up', { accountId: before.account_id })
      tx.publish({ type: 'user.changed', userId: used.user_id })
      return before
    }),
  )
}

/** Whether the user has confirmed an address, whether one awaits it, and with which application they signed up. */
export async function confirmationOf(
  ctx: Context,
  userId: string,
): Promise<{ confirmed: boolean; awaited: boolean; app_id: string | null }> {
  return ctx.db.one(sql`
    select confirmed_at is not null as confirmed, confirmed_at is null or unconfirmed_email is not null as awaited,
      created_by_app_id as app_id
    from users where id = ${userId}`)
}

async function refusingTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isDuplicate(error, 'users_email')) refuse([taken('email')])
    throw error
  }
}
