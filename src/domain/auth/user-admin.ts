import type { Context } from '../../context.ts'
import type { Accounts, Users } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { refuse, taken } from './user-rules.ts'
import { hasJoined } from '../users/states.ts'
import { everyoneRoleId } from './viewer.ts'

export type UserSummary = Pick<
  Users,
  'id' | 'account_id' | 'email' | 'approved' | 'disabled' | 'created_at' | 'last_active_at'
> &
  Pick<Accounts, 'username' | 'memorial'> & { role: string; confirmed: boolean; suspended: boolean }

const summary = sql`
  select u.id, u.account_id, a.username, u.email, case when r.id = ${everyoneRoleId} then 'user' else lower(r.name) end as role,
    u.confirmed_at is not null as confirmed, u.approved, u.disabled, a.memorial, a.suspended_at is not null as suspended, u.created_at,
    u.last_active_at
  from users u join accounts a on a.id = u.account_id join roles r on r.id = u.role_id`

/** Newest first. `before` is the id of the last user of the previous page. */
export function listUsers(
  ctx: Context,
  { limit, before = null }: { limit: number; before?: string | null },
): Promise<UserSummary[]> {
  return ctx.db.many<UserSummary>(
    sql`${summary} where (${before}::bigint is null or u.id < ${before}) order by u.id desc limit ${limit}`,
  )
}

export function findUser(ctx: Context, username: string): Promise<UserSummary | null> {
  return ctx.db.maybe<UserSummary>(
    sql`${summary} where lower(a.username) = ${username.toLowerCase()} and a.domain is null`,
  )
}

export type UserChanges = { email?: string; roleId?: string; confirmed?: true; approved?: true; disabled?: boolean }

/** Throws Invalid when another user has this address. */
export async function checkEmailIsFree(ctx: Context, userId: string, email: string): Promise<void> {
  const other = await ctx.db.maybe(sql`select from users where lower(email) = lower(${email}) and id <> ${userId}`)
  if (other) refuse([taken('email')])
}

type UserValues = { email: string; roleId: string; confirmed: boolean; approved: boolean; disabled: boolean }
type UserUpdate = { joinedAccountId: string | null; changed: (keyof UserChanges)[] }

/**
 * Absent members stay as they are; an address also replaces one that awaits its confirmation. Returns what changed, and the id of
 * the account that became confirmed and approved by it, or null. Needs a transaction.
 */
export async function updateUser(tx: Context, userId: string, changes: UserChanges): Promise<UserUpdate> {
  const { email = null, roleId = null, confirmed = false, approved = false, disabled = null } = changes
  const before = await tx.db.one<UserValues>(sql`
    select email, role_id as "roleId", confirmed_at is not null as confirmed, approved, disabled
    from users where id = ${userId} for update`)
  const after = await tx.db.one<Pick<Users, 'account_id'> & { joined: boolean }>(sql`
    update users u set email = coalesce(${email}, email),
      unconfirmed_email = case when ${email}::text is null then unconfirmed_email end, role_id = coalesce(${roleId}, role_id),
      confirmed_at = case when ${confirmed} then coalesce(confirmed_at, now()) else confirmed_at end,
      approved = approved or ${approved}, disabled = coalesce(${disabled}, disabled)
    where id = ${userId} returning account_id, ${hasJoined} as joined`)
  // The role is part of the profile, whose cached form is valid until its row changes.
  await tx.db.run(sql`update accounts set fetched_at = fetched_at where id = ${after.account_id}`)
  const hadJoined = before.confirmed && before.approved
  return {
    joinedAccountId: !hadJoined && after.joined ? after.account_id : null,
    changed: (Object.keys(changes) as (keyof UserChanges)[]).filter((name) => changes[name] !== before[name]),
  }
}
