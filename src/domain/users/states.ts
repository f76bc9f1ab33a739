import type { Context } from '../../context.ts'
import type { Accounts, Users } from '../../db/schema.ts'
import { type Sql, sql } from '../../db/sql.ts'

/** Whether a user `u` confirmed the e-mail address and was approved: until then, others do not know of the account. */
export const hasJoined: Sql = sql`(u.confirmed_at is not null and u.approved)`

/** Whether a user `u` of an account `a` may sign in, if only to set up the second factor that their role requires. */
export const isFunctional: Sql = sql`(${hasJoined} and not u.disabled and not a.memorial and a.suspended_at is null)`

/** How many users get a mail to everyone. */
export async function countFunctionalUsers(ctx: Context): Promise<number> {
  const { count } = await ctx.db.one<{ count: number }>(
    sql`select count(*)::int as count from users u join accounts a on a.id = u.account_id where ${isFunctional}`,
  )
  return count
}

/** Whether the user has an authenticator app or a passkey. */
export const hasSecondFactorSql = (userId: Sql): Sql => sql`
  (exists (select from totp_keys k where k.user_id = ${userId} and k.confirmed_at is not null)
    or exists (select from passkeys p where p.user_id = ${userId}))`

/** Whether the role of a user `u` requires a second factor, which the user lacks. */
export const isMissing2fa: Sql = sql`
  (exists (select from roles required where required.id = u.role_id and required.require_2fa)
    and not ${hasSecondFactorSql(sql`u.id`)})`

/** Whether a user `u` of an account `a` may act. */
export const mayAct: Sql = sql`(${isFunctional} and not ${isMissing2fa})`

/** Null for an account that has no user, or one who may not sign in. */
export const findFunctionalUser = (
  ctx: Context,
  accountId: string,
): Promise<(Pick<Users, 'id'> & Pick<Accounts, 'username'>) | null> =>
  ctx.db.maybe(sql`
    select u.id, a.username from users u join accounts a on a.id = u.account_id where a.id = ${accountId} and ${isFunctional}`)
