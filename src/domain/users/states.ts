import type { Context } from '../../context.ts'
import { type Sql, sql } from '../../db/sql.ts'

/** Whether a user `u` confirmed the e-mail address and was approved: until then, others do not know of the account. */
export const hasJoined: Sql = sql`(u.confirmed_at is not null and u.approved)`

/** Whether a user `u` of an account `a` may sign in and act. */
export const isFunctional: Sql = sql`(${hasJoined} and not u.disabled and not a.memorial and a.suspended_at is null)`

/** How many users get a mail to everyone. */
export async function countFunctionalUsers(ctx: Context): Promise<number> {
  const { count } = await ctx.db.one<{ count: number }>(
    sql`select count(*)::int as count from users u join accounts a on a.id = u.account_id where ${isFunctional}`,
  )
  return count
}
