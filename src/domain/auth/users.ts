import type { Context } from '../../context.ts'
import { isDuplicate } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { storableIp } from '../../lib/ip.ts'
import { newId } from '../../lib/ids.ts'
import { hashPassword } from './passwords.ts'
import { refuse, taken } from './problems.ts'

/** Ids of the roles that every server has. */
export const ROLES = { user: '-99', moderator: '1', admin: '2', owner: '3' } as const
export type RoleName = keyof typeof ROLES

export type NewUser = {
  username: string
  email: string
  password: string
  /** The password's PHC string, where there is one already: whoever makes many users with one password hashes it once. */
  passwordHash?: string
  role?: RoleName
  confirmed?: boolean
  approved?: boolean
  locale?: string
  timeZone?: string | null
  reason?: string | null
  ip?: string | null
  appId?: string | null
}

export type NewIds = { accountId: string; userId: string }

/**
 * Makes an account of this server and its user, with `more` in the same transaction. The values are taken as checked (see
 * user-rules.ts); only what the database alone can know for certain, that name or address is taken, is refused here.
 */
export async function createUser(
  ctx: Context,
  user: NewUser,
  more?: (tx: Context, ids: NewIds) => Promise<void>,
): Promise<NewIds> {
  const passwordHash = user.passwordHash ?? (await hashPassword(user.password))
  const ids = { accountId: newId(), userId: newId() }
  try {
    await ctx.transaction(async (tx) => {
      await insert(tx, user, ids, passwordHash)
      await more?.(tx, ids)
    })
  } catch (error) {
    if (isDuplicate(error, 'accounts_handle')) refuse([taken('username')])
    if (isDuplicate(error, 'users_email')) refuse([taken('email')])
    throw error
  }
  return ids
}

async function insert(tx: Context, user: NewUser, { accountId, userId }: NewIds, passwordHash: string): Promise<void> {
  await tx.db.run(sql`
    with account as (insert into accounts (id, username, discoverable) values (${accountId}, ${user.username}, ${null}) returning id),
      stats as (insert into account_stats (account_id) select id from account)
    insert into users (id, account_id, email, password_hash, role_id, confirmed_at, approved, locale, time_zone, sign_up_reason, sign_up_ip, created_by_app_id)
    select ${userId}, id, ${user.email}, ${passwordHash}, ${ROLES[user.role ?? 'user']}, ${user.confirmed ? new Date() : null}, ${user.approved ?? true},
      ${user.locale ?? 'en'}, ${user.timeZone ?? null}, ${user.reason ?? null}, ${storableIp(user.ip)}::inet, ${user.appId ?? null}
    from account`)
}
