import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { verifyPassword } from './passwords.ts'
import { stateOf, type UserState } from './viewer.ts'

export type SignIn = { userId: string; state: UserState }

type Row = {
  id: string
  password_hash: string
  confirmed: boolean
  approved: boolean
  disabled: boolean
  suspended: boolean
}

const LONGEST_LOGIN = 320

const nameOf = (typed: string): string => typed.trim().replace(/^@/, '')

/** What was typed to say who one is, in one spelling of those that mean the same: under this, tries are counted. */
export const loginOf = (typed: string): string => nameOf(typed).toLowerCase().slice(0, LONGEST_LOGIN)

/** The id of the user with this mail address or username, in any case, as an expression; null when there is none. */
export function userWithLogin(login: string): Sql {
  const name = nameOf(login)
  return sql`coalesce((select id from users where lower(email) = lower(${name})), (
    select named.id from users named join accounts on accounts.id = named.account_id
    where lower(accounts.username) = lower(${name}) and coalesce(accounts.domain, '') = ''))`
}

/**
 * Who this name or mail address and password belong to. Null when they do not fit, in the same time whether or not there is
 * such a person. Their state is told only with the right password.
 */
export async function signIn(ctx: Context, login: string, password: string): Promise<SignIn | null> {
  const row = await ctx.db.maybe<Row>(sql`
    select u.id, u.password_hash, u.confirmed_at is not null as confirmed, u.approved, u.disabled, a.suspended_at is not null as suspended
    from users u join accounts a on a.id = u.account_id where u.id = ${userWithLogin(login)}`)
  const fits = await verifyPassword(password, row?.password_hash ?? null)
  return row && fits ? { userId: row.id, state: stateOf(row) } : null
}

/** Whether this is the user's password. */
export async function isPasswordOf(ctx: Context, userId: string, password: string): Promise<boolean> {
  const row = await ctx.db.maybe<{ password_hash: string }>(sql`select password_hash from users where id = ${userId}`)
  return verifyPassword(password, row?.password_hash ?? null)
}
