// The history of sign-ins, which users see on the page of their sessions.
import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { userWithLogin } from './sign-in.ts'
import { storableIp } from './users.ts'

/** `two_factor`: a code after the first step. `provider`: at the identity provider alone. */
export type SignInMethod = 'password' | 'two_factor' | 'passkey' | 'provider'

type Browser = { ip: string | null; userAgent: string }
type Attempt = Browser & { method: SignInMethod; success: boolean }

export const insertLoginActivity = (ctx: Context, userId: string, attempt: Attempt): Promise<void> =>
  insertFor(ctx, sql`${userId}`, attempt)

/** In the background, so that the response takes the same time whether or not the user exists. */
export function recordWrongPassword(ctx: Context, login: string, browser: Browser): void {
  insertFor(ctx, userWithLogin(login), { ...browser, method: 'password', success: false }).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'login-activity.record-failed'),
  )
}

/** `user`: an SQL expression for an id; nothing is stored for null. */
async function insertFor(ctx: Context, user: Sql, { method, success, ip, userAgent }: Attempt): Promise<void> {
  await ctx.db.run(sql`
    insert into login_activities (user_id, method, success, ip, user_agent)
    select id, ${method}, ${success}, ${storableIp(ip)}::inet, ${userAgent.slice(0, 500)} from users where id = ${user}`)
}

export type LoginActivity = Attempt & { id: string; createdAt: Date }

/** Entries of each outcome, so that failed attempts do not displace the sign-ins. */
const MAX_SHOWN = 50

/** The newest first. */
export function listLoginActivities(ctx: Context, userId: string): Promise<LoginActivity[]> {
  const newestWith = ({ success }: { success: boolean }): Sql => sql`
    select id, method, success, host(ip) as ip, user_agent as "userAgent", created_at as "createdAt" from login_activities
    where user_id = ${userId} and success = ${success} order by id desc limit ${MAX_SHOWN}`
  return ctx.db.many<LoginActivity>(sql`
    select * from ((${newestWith({ success: true })}) union all (${newestWith({ success: false })})) shown order by id desc`)
}
