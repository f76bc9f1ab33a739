import type { Context } from '../../context.ts'
import type { Accounts, Roles, Users } from '../../db/schema.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { Forbidden } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { effectivePermissions, hasPermission, type Permission, permissionBits, type UserSettings } from './viewer.ts'
import { isFunctional } from '../users/states.ts'

/** The account of the person who moderates or administers. Null is the command line, which may do everything. */
export type StaffId = string | null

export type StaffMember = {
  accountId: string
  userId: string
  username: string
  permissions: bigint
  /** The position of their role: they may act on users whose role has a lower one, and edit roles with a lower one. */
  position: number
  roleId: string
}

type Row = Pick<Users, 'id' | 'account_id' | 'role_id'> &
  Pick<Accounts, 'username'> &
  Pick<Roles, 'position'> & { permissions: string }

/** For `from`: users `u` with role `r` and account `a`. */
const usersWithRole = sql`users u join roles r on r.id = u.role_id join accounts a on a.id = u.account_id`

/** The permissions and the rank of a user, who need not be staff. For pages: API requests have a viewer. */
export async function findStaffMember(ctx: Context, userId: string): Promise<StaffMember> {
  const row = await ctx.db.one<Row>(sql`
    select u.id, u.account_id, u.role_id, a.username, r.position, ${effectivePermissions} as permissions
    from ${usersWithRole}
    where u.id = ${userId}`)
  return {
    accountId: row.account_id,
    userId: row.id,
    username: row.username,
    permissions: BigInt(row.permissions),
    position: row.position,
    roleId: row.role_id,
  }
}

/** Whether the staff member has one of the permissions. */
export const staffMay = (staff: Pick<StaffMember, 'permissions'>, ...permissions: readonly Permission[]): boolean =>
  permissions.some((permission) => (staff.permissions & permissionBits(permission)) !== 0n)

/**
 * Throws Forbidden when the target is a user whose role has the same position as the staff member's, or a higher one. So
 * staff cannot act on themselves. Remote accounts have no role.
 */
export async function checkOutranks(ctx: Context, staffId: StaffId, targetAccountId: string): Promise<void> {
  if (staffId === null) return
  const refused = await ctx.db.maybe(sql`
    select from users target join roles theirs on theirs.id = target.role_id
    where target.account_id = ${targetAccountId} and theirs.position >= (
      select mine.position from users staff join roles mine on mine.id = staff.role_id where staff.account_id = ${staffId})`)
  if (refused) throw new Forbidden(message('forbidden'))
}

/** Condition on `usersWithRole`: whether they may sign in and have the permission. */
const isActiveWith = (permission: Permission): Sql => sql`${isFunctional} and ${hasPermission(permission)}`

export type StaffAddress = Pick<Users, 'email' | 'locale'> & Pick<Accounts, 'id' | 'username'>

/** The mails to staff about open tasks: the setting that turns each kind off, and the permission that its recipients have. */
export const STAFF_MAILS = {
  report_mails: 'manage_reports',
  sign_up_mails: 'manage_users',
  appeal_mails: 'manage_appeals',
  trend_mails: 'manage_taxonomies',
} as const satisfies Partial<Record<keyof UserSettings, Permission>>
export type StaffMail = keyof typeof STAFF_MAILS

const staffAddresses = (ctx: Context, condition: Sql): Promise<StaffAddress[]> =>
  ctx.db.many<StaffAddress>(sql`
    select a.id, a.username, u.email, u.locale from ${usersWithRole}
    where ${condition} order by a.id`)

/** Active users who have the permission and have not turned off these mails. */
export const findMailRecipients = (ctx: Context, mail: StaffMail): Promise<StaffAddress[]> =>
  staffAddresses(ctx, sql`${isActiveWith(STAFF_MAILS[mail])} and coalesce((u.settings ->> ${mail})::boolean, true)`)

/** Active users who may manage reports. */
export const findModerators = (ctx: Context): Promise<StaffAddress[]> =>
  staffAddresses(ctx, isActiveWith('manage_reports'))

/** Whether an active user who may manage reports has used the server in the last `days` days. */
export const isModerated = async (ctx: Context, days: number): Promise<boolean> =>
  (await ctx.db.maybe(sql`
    select from ${usersWithRole}
    where ${isActiveWith('manage_reports')} and u.last_active_at > now() - make_interval(days => ${days}::int) limit 1`)) !==
  null

/** Active users who have the permission, by username. */
export const listStaffWith = (ctx: Context, permission: Permission): Promise<Pick<Accounts, 'id' | 'username'>[]> =>
  ctx.db.many(sql`
    select a.id, a.username from ${usersWithRole}
    where ${isActiveWith(permission)} order by lower(a.username) limit 200`)

/** Whether the account's user is active and has the permission now. */
export const isStaffWith = async (ctx: Context, accountId: string, permission: Permission): Promise<boolean> =>
  (await ctx.db.maybe(sql`
    select from ${usersWithRole}
    where a.id = ${accountId} and ${isActiveWith(permission)}`)) !== null
