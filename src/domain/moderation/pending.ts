import type { Context } from '../../context.ts'
import type { Accounts, Users } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'

/** Nothing refers to it yet but its user: it was neither visible nor usable. */
export async function deletePendingAccount(tx: Context, accountId: string): Promise<void> {
  await tx.db.run(sql`delete from accounts where id = ${accountId}`)
}

export const countPendingAccounts = async (ctx: Context): Promise<number> =>
  (await ctx.db.one<{ n: number }>(sql`select count(*)::int as n from users where not approved`)).n

export type Applicant = Pick<Users, 'email' | 'sign_up_reason'> & Pick<Accounts, 'username'>

export const getApplicant = (ctx: Context, accountId: string): Promise<Applicant> =>
  ctx.db.one<Applicant>(sql`
    select u.email, u.sign_up_reason, a.username from users u join accounts a on a.id = u.account_id where a.id = ${accountId}`)

/** Confirmed sign-ups that wait for a decision, the earliest first. */
export const listPendingAccounts = async (ctx: Context): Promise<string[]> => {
  const rows = await ctx.db.many<Pick<Users, 'account_id'>>(
    sql`select account_id from users where not approved and confirmed_at is not null order by id`,
  )
  return rows.map(({ account_id: id }) => id)
}
