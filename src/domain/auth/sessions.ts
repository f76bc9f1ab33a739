import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { storableIp } from '../../lib/ip.ts'
import { newSecret } from './tokens.ts'
import { digestOf, stateOf } from './viewer.ts'

/** How long a browser stays signed in without coming back: days. */
export const SESSION_DAYS = 365

/** Somebody who is signed in with a browser. */
export type Session = {
  id: string
  userId: string
  accountId: string
  username: string
  email: string
  avatarKey: string | null
  locale: string
  createdAt: Date
}

type Row = {
  id: string
  user_id: string
  account_id: string
  username: string
  email: string
  avatar_key: string | null
  locale: string
  created_at: Date
  rarely_seen: boolean
  confirmed: boolean
  approved: boolean
  disabled: boolean
  suspended: boolean
}

/** Signs a user in with a browser. Gives the secret for its cookie. */
export async function createSession(
  ctx: Context,
  session: { userId: string; ip: string | null; userAgent: string },
): Promise<string> {
  const secret = newSecret()
  await ctx.db.run(sql`
    insert into sessions (digest, user_id, ip, user_agent)
    values (${digestOf(secret)}, ${session.userId}, ${storableIp(session.ip)}::inet, ${session.userAgent.slice(0, 500)})`)
  return secret
}

/** The session of a cookie's secret; null when it ended, or its user may not act at the moment. */
export async function findSession(ctx: Context, secret: string): Promise<Session | null> {
  const row = await ctx.db.maybe<Row>(sql`
    select s.id, s.user_id, s.created_at, s.last_seen_at < now() - interval '1 hour' as rarely_seen,
      u.account_id, u.email, u.locale, a.username, a.avatar_key,
      u.confirmed_at is not null as confirmed, u.approved, u.disabled, a.suspended_at is not null as suspended
    from sessions s join users u on u.id = s.user_id join accounts a on a.id = u.account_id
    where s.digest = ${digestOf(secret)} and s.last_seen_at > now() - ${SESSION_DAYS} * interval '1 day'`)
  if (!row || stateOf(row) !== 'usable') return null
  if (row.rarely_seen) await ctx.db.run(sql`update sessions set last_seen_at = now() where id = ${row.id}`)
  return {
    id: row.id,
    userId: row.user_id,
    accountId: row.account_id,
    username: row.username,
    email: row.email,
    avatarKey: row.avatar_key,
    locale: row.locale,
    createdAt: row.created_at,
  }
}

/** Ends a session. */
export async function endSession(ctx: Context, id: string): Promise<void> {
  await ctx.db.run(sql`delete from sessions where id = ${id}`)
}

/** Ends all sessions of a user, but for the one that asks, if it is given. */
export async function endSessionsOf(ctx: Context, userId: string, butId: string | null = null): Promise<void> {
  await ctx.db.run(sql`delete from sessions where user_id = ${userId} and id is distinct from ${butId}`)
}

/** A session as its owner sees it. */
export type SessionInfo = { id: string; ip: string | null; userAgent: string; createdAt: Date; lastSeenAt: Date }

/** All sessions of a user that have not run out, the one seen last first. */
export async function sessionsOf(ctx: Context, userId: string): Promise<SessionInfo[]> {
  return ctx.db.many<SessionInfo>(sql`
    select id, host(ip) as ip, user_agent as "userAgent", created_at as "createdAt", last_seen_at as "lastSeenAt" from sessions
    where user_id = ${userId} and last_seen_at > now() - ${SESSION_DAYS} * interval '1 day' order by last_seen_at desc, id desc`)
}

/** Ends one session of a user. False when the user has no such session. */
export async function endSessionOf(ctx: Context, userId: string, id: string): Promise<boolean> {
  return (await ctx.db.run(sql`delete from sessions where id = ${id} and user_id = ${userId}`)) > 0
}
