import type { Context } from '../../context.ts'
import type { Accounts, Sessions, Users } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { storableIp } from './users.ts'
import { newSecret } from './tokens.ts'
import { digestOf, STAFF_PERMISSIONS, stateColumns, stateOf, type StateRow, type UserState } from './viewer.ts'

/** Days after which an unused session ends. */
export const SESSION_DAYS = 365

/**
 * Disabled and suspended users may only see what happened to them, and appeal; those without the second factor that their role
 * requires may only set one up.
 */
export type SessionState = Extract<UserState, 'usable' | 'disabled' | 'suspended' | 'missing_2fa'>

export type Session = {
  id: string
  userId: string
  accountId: string
  username: string
  email: string
  avatarKey: string | null
  /** Whether their role gives access to the administration. */
  isStaff: boolean
  locale: string
  /** When the user last authenticated: at the beginning of the session, or earlier if the identity provider says so. */
  authenticatedAt: Date
  /** False for users who sign in at the identity provider. */
  hasPassword: boolean
  state: SessionState
}

type Row = Pick<Sessions, 'id' | 'digest' | 'user_id'> &
  Pick<Users, 'account_id' | 'email' | 'locale'> &
  Pick<Accounts, 'username' | 'avatar_key'> &
  StateRow & { authenticated_at: Date; is_seen_outdated: boolean; is_staff: boolean; has_password: boolean }

/** `authenticatedAt`: now unless given. */
export type NewSession = { userId: string; ip: string | null; userAgent: string; authenticatedAt?: Date | null }

/** Returns the secret for the cookie. */
export async function insertSession(tx: Context, session: NewSession): Promise<{ id: string; secret: string }> {
  const secret = newSecret()
  const { id } = await tx.db.one<Pick<Sessions, 'id'>>(sql`
    insert into sessions (digest, user_id, ip, user_agent, authenticated_at)
    values (${digestOf(secret)}, ${session.userId}, ${storableIp(session.ip)}::inet, ${session.userAgent.slice(0, 500)},
      ${session.authenticatedAt ?? null})
    returning id`)
  return { id, secret }
}

/** False when the session has ended. Otherwise it ends only after the transaction, with all that ends with it. */
export const lockSession = async (tx: Context, id: string): Promise<boolean> =>
  (await tx.db.maybe(sql`select from sessions where id = ${id} for key share`)) !== null

/** Null when the session has ended, or its user may not have one. */
export async function findSession(ctx: Context, secret: string): Promise<Session | null> {
  const [row] = await sessionRows(ctx, [secret])
  if (row?.is_seen_outdated) await ctx.db.run(sql`update sessions set last_seen_at = now() where id = ${row.id}`)
  return row ? sessionOf(row) : null
}

/** In the order of the secrets, without sessions that findSession does not find. They do not count as seen. */
export async function findSessions(
  ctx: Context,
  secrets: readonly string[],
): Promise<(Session & { secret: string })[]> {
  const rows = await sessionRows(ctx, secrets)
  return secrets.flatMap((secret) => {
    const digest = digestOf(secret)
    const row = rows.find((each) => each.digest.equals(digest))
    const session = row && sessionOf(row)
    return session ? { ...session, secret } : []
  })
}

const sessionRows = (ctx: Context, secrets: readonly string[]): Promise<Row[]> =>
  ctx.db.many<Row>(sql`
    select s.id, s.digest, s.user_id, least(s.authenticated_at, s.created_at) as authenticated_at, s.last_seen_at < now() - interval '1 hour' as is_seen_outdated,
      u.account_id, u.email, u.locale, u.password_hash is not null as has_password, a.username, a.avatar_key, (r.permissions & ${String(STAFF_PERMISSIONS)}) <> 0 as is_staff,
      ${stateColumns}
    from sessions s join users u on u.id = s.user_id join accounts a on a.id = u.account_id
    join roles r on r.id = u.role_id
    where s.digest = any(${secrets.map(digestOf)}::bytea[]) and s.last_seen_at > now() - ${SESSION_DAYS} * interval '1 day'`)

function sessionOf(row: Row): Session | null {
  const state = sessionState(row)
  if (!state) return null
  return {
    id: row.id,
    userId: row.user_id,
    accountId: row.account_id,
    username: row.username,
    email: row.email,
    avatarKey: row.avatar_key,
    isStaff: row.is_staff,
    locale: row.locale,
    authenticatedAt: row.authenticated_at,
    hasPassword: row.has_password,
    state,
  }
}

function sessionState(row: StateRow): SessionState | null {
  const state = stateOf(row)
  return state === 'unconfirmed' || state === 'pending' || state === 'memorial' ? null : state
}

/** One session, all but one, or all. */
export type SessionChoice = { id?: string; exceptId?: string }

/** Their tokens go with them. */
export async function deleteSessions(
  tx: Context,
  userId: string,
  { id, exceptId }: SessionChoice,
): Promise<{ count: number; tokenIds: string[] }> {
  const rows = await tx.db.many<{ token_id: string | null }>(sql`
    with ended as (
      delete from sessions where user_id = ${userId} and id = coalesce(${id ?? null}::bigint, id)
        and id is distinct from ${exceptId ?? null}::bigint returning id
    )
    select t.id as token_id from ended left join oauth_tokens t on t.session_id = ended.id`)
  return { count: rows.length, tokenIds: rows.flatMap(({ token_id }) => token_id ?? []) }
}

export type SessionInfo = { id: string; ip: string | null; userAgent: string; createdAt: Date; lastSeenAt: Date }

/** Without expired ones, the most recently used first. */
export async function sessionsOf(ctx: Context, userId: string): Promise<SessionInfo[]> {
  return ctx.db.many<SessionInfo>(sql`
    select id, host(ip) as ip, user_agent as "userAgent", created_at as "createdAt", last_seen_at as "lastSeenAt" from sessions
    where user_id = ${userId} and last_seen_at > now() - ${SESSION_DAYS} * interval '1 day' order by last_seen_at desc, id desc`)
}
