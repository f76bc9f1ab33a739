import type { Context } from '../../context.ts'
import { isDuplicate } from '../../db/database.ts'
import type { Accounts, Users } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { hashPassword } from './passwords.ts'
import { refuse, taken } from './user-rules.ts'
import { settingsColumn, type UserSettings } from './viewer.ts'
import { LOCALES } from '../server/languages.ts'
import { invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { plainAddress } from '../../net/ranges.ts'

export const ROLES = { user: '-99', moderator: '1', admin: '2', owner: '3' } as const

export type NewUser = {
  username: string
  email: string
  /** Null for users who sign in at the identity provider. */
  password: string | null
  /** The password's hash (a PHC string), for callers that create many users with one password. */
  passwordHash?: string
  displayName?: string
  /** The role of everyone unless given. */
  roleId?: string
  confirmed?: boolean
  approved?: boolean
  locale?: string
  timeZone?: string | null
  reason?: string | null
  ip?: string | null
  appId?: string | null
  /** The id of a deleted account, which the user gets: see `findDeletedAccount`. */
  reattachTo?: string | undefined
}

export type NewIds = { accountId: string; userId: string }

/**
 * Runs `effects` in the same transaction. The values must be valid (user-rules.ts). Throws Invalid when the username or the
 * address is taken, which only the database knows for certain.
 */
export async function createUser(
  ctx: Context,
  user: NewUser,
  effects?: (tx: Context, ids: NewIds) => Promise<void>,
): Promise<NewIds> {
  const passwordHash = user.passwordHash ?? (user.password === null ? null : await hashPassword(user.password))
  const ids = { accountId: user.reattachTo ?? newId(), userId: newId() }
  await refuseTaken(() =>
    ctx.transaction(async (tx) => {
      await insert(tx, user, ids, passwordHash)
      await effects?.(tx, ids)
    }),
  )
  return ids
}

/** Throws Invalid where `work` violates the uniqueness of usernames and mail addresses. */
export async function refuseTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isDuplicate(error, 'accounts_handle')) refuse([taken('username')])
    if (isDuplicate(error, 'users_email')) refuse([taken('email')])
    throw error
  }
}

/** What is left of a deleted account, with the username as it was written. */
export const findDeletedAccount = (ctx: Context, username: string): Promise<Pick<Accounts, 'id' | 'username'> | null> =>
  ctx.db.maybe(sql`
    select id, username from accounts
    where lower(username) = ${username.toLowerCase()} and domain is null and purged_at is not null`)

async function insert(
  tx: Context,
  user: NewUser,
  { accountId, userId }: NewIds,
  passwordHash: string | null,
): Promise<void> {
  const account =
    user.reattachTo === undefined
      ? sql`insert into accounts (id, username, display_name) values (${accountId}, ${user.username}, ${user.displayName ?? ''})`
      : sql`update accounts set suspended_at = null, suspension_origin = null, purged_at = null
          where id = ${accountId} and purged_at is not null`
  const inserted = await tx.db.run(sql`
    with account as (${account} returning id),
      stats as (insert into account_stats (account_id) select id from account on conflict do nothing)
    insert into users (id, account_id, email, password_hash, role_id, confirmed_at, approved, locale, time_zone, sign_up_reason, sign_up_ip, created_by_app_id)
    select ${userId}, id, ${user.email}, ${passwordHash}, ${user.roleId ?? ROLES.user}, ${user.confirmed ? new Date() : null}, ${user.approved ?? true},
      ${user.locale ?? 'en'}, ${user.timeZone ?? null}, ${user.reason ?? null}, ${storableIp(user.ip)}::inet, ${user.appId ?? null}
    from account`)
  if (inserted === 0) refuse([taken('username')])
}

export const hasOwner = async (ctx: Context): Promise<boolean> =>
  (await ctx.db.maybe(sql`select from users where role_id = ${ROLES.owner} limit 1`)) !== null

/** The first user whose account is not suspended; null without users. */
export async function firstUsername(ctx: Context): Promise<string | null> {
  const row = await ctx.db.maybe<Pick<Accounts, 'username'>>(sql`
    select a.username from users u join accounts a on a.id = u.account_id where a.suspended_at is null order by u.id limit 1`)
  return row?.username ?? null
}

/** The language of pages and mails for a user, and their time zone. */
export type UserLocale = Pick<Users, 'locale' | 'time_zone'>

export const findUserSettings = (ctx: Context, userId: string): Promise<UserLocale & { settings: UserSettings }> =>
  ctx.db.one(sql`
    select u.locale, u.time_zone, ${settingsColumn} from users u join accounts a on a.id = u.account_id where u.id = ${userId}`)

/** Absent members stay as they are. */
export async function updateUserSettings(tx: Context, userId: string, changes: UserSettings): Promise<void> {
  await tx.db.run(sql`update users set settings = settings || ${JSON.stringify(changes)}::jsonb where id = ${userId}`)
}

/** Throws Invalid for an unknown language or time zone. */
export async function updateLocale(
  tx: Context,
  userId: string,
  { locale, time_zone: timeZone }: UserLocale,
): Promise<void> {
  if (!LOCALES.has(locale)) throw invalidField('locale', 'invalid')
  if (timeZone !== null && !isTimeZone(timeZone)) throw invalidField('time_zone', 'invalid')
  await tx.db.run(sql`update users set locale = ${locale}, time_zone = ${timeZone} where id = ${userId}`)
}

export function isTimeZone(name: string | undefined): name is string {
  if (!name) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** In the form of PostgreSQL's inet, IPv4-mapped addresses as IPv4; null for other text, which a proxy may write instead. */
export function storableIp(text: string | null | undefined): string | null {
  return plainAddress(text ?? '')
}
