import { revokeTokensOf } from '../auth/tokens.ts'
import { storePassword } from '../../domain/auth/sign-in.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { hashPassword } from '../../domain/auth/passwords.ts'
import { refuse, taken } from '../../domain/auth/user-rules.ts'
import { endSessionsOf } from '../../domain/auth/sessions.ts'
import { newSecret } from '../../domain/auth/tokens.ts'
import { ROLES, type RoleName } from '../../domain/auth/users.ts'

export type UserSummary = {
  id: string
  account_id: string
  username: string
  email: string
  role: string
  confirmed: boolean
  approved: boolean
  disabled: boolean
  created_at: Date
  last_active_at: Date | null
}

const summary = sql`
  select u.id, u.account_id, a.username, u.email, case when r.id = -99 then 'user' else lower(r.name) end as role,
    u.confirmed_at is not null as confirmed, u.approved, u.disabled, u.created_at, u.last_active_at
  from users u join accounts a on a.id = u.account_id join roles r on r.id = u.role_id`

/** The people of this server, newest first; `after` is the id of the last one seen. */
export async function listUsers(
  ctx: Context,
  options: { limit: number; before?: string | null },
): Promise<UserSummary[]> {
  return ctx.db.many<UserSummary>(
    sql`${summary} where (${options.before ?? null}::bigint is null or u.id < ${options.before ?? null}) order by u.id desc limit ${options.limit}`,
  )
}

/** Somebody of this server by name, in any case; or null. */
export async function findUser(ctx: Context, username: string): Promise<UserSummary | null> {
  return ctx.db.maybe<UserSummary>(
    sql`${summary} where lower(a.username) = ${username.toLowerCase()} and a.domain is null`,
  )
}

export type UserChanges = { email?: string; role?: RoleName; confirmed?: true; approved?: true; disabled?: boolean }

/** Changes somebody's sign-in. What is not named stays. Throws Invalid when the address is somebody else's. */
export async function modifyUser(ctx: Context, userId: string, changes: UserChanges): Promise<void> {
  if (changes.email !== undefined) {
    const other = await ctx.db.maybe(
      sql`select from users where lower(email) = lower(${changes.email}) and id <> ${userId}`,
    )
    if (other) refuse([taken('email')])
  }
  await ctx.transaction(async (tx) => {
    const before = await tx.db.maybe<{ joined: boolean }>(
      sql`select confirmed_at is not null and approved as joined from users where id = ${userId} for update`,
    )
    await tx.db.run(sql`
      update users set email = coalesce(${changes.email ?? null}, email), role_id = coalesce(${changes.role ? ROLES[changes.role] : null}, role_id),
        confirmed_at = case when ${changes.confirmed ?? false} then coalesce(confirmed_at, now()) else confirmed_at end,
        approved = approved or ${changes.approved ?? false}, disabled = coalesce(${changes.disabled ?? null}, disabled)
      where id = ${userId}`)
    if (before && !before.joined) await tellOfJoining(tx, userId)
    // The role shows on the profile, whose cached form is valid for as long as its row does not change.
    await tx.db.run(
      sql`update accounts set fetched_at = fetched_at where id = (select account_id from users where id = ${userId})`,
    )
    tx.publish({ type: 'user.changed', userId })
  })
}

/** Whoever has become a confirmed and approved user by what was just changed has joined. */
async function tellOfJoining(tx: Context, userId: string): Promise<void> {
  const user = await tx.db.maybe<{ account_id: string }>(
    sql`select account_id from users where id = ${userId} and confirmed_at is not null and approved`,
  )
  if (user) await tx.enqueue('notifications.sign-up', { accountId: user.account_id })
}

/** Gives somebody a new random password, told once here; everything they were signed in with ends. */
export async function resetPassword(ctx: Context, userId: string): Promise<string> {
  const password = newSecret().slice(0, 20)
  const hash = await hashPassword(password)
  await ctx.transaction(async (tx) => {
    await storePassword(tx, userId, hash)
    await endSessionsOf(tx, userId)
    await revokeTokensOf(tx, userId)
    tx.publish({ type: 'user.changed', userId })
  })
  return password
}
