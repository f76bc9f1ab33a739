import type { Context } from '../../context.ts'
import type { Roles } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import type { StaffId } from '../auth/staff.ts'
import { ROLES } from '../auth/users.ts'
import { effectivePermissions, permissionBit, permissionBits } from '../auth/viewer.ts'
import { Forbidden, invalidFieldWithDetails, NotFound } from '../../lib/errors.ts'

export type StoredRole = Pick<
  Roles,
  'id' | 'name' | 'color' | 'position' | 'highlighted' | 'collection_limit' | 'require_2fa'
> & {
  permissions: bigint
}
/** `users`: how many have it. */
export type RoleSummary = StoredRole & { users: number }

/** The role of all users who have no other. Its permissions hold for everyone. */
export const EVERYONE = ROLES.user

/** Roles that come with the server, which the command line knows by name: they cannot be deleted. */
export const isBuiltInRole = (id: string): boolean => Object.values<string>(ROLES).includes(id)

/** The only permission that everyone may have: others would make staff of every user, or let every user have mails sent. */
const FOR_EVERYONE = permissionBit('invite_users')

const MAX_POSITION = 999
export const MAX_ROLE_NAME = 50
const MAX_COLLECTIONS = 1000

const columns = sql`r.id, r.name, r.color, r.position, r.permissions, r.highlighted, r.collection_limit, r.require_2fa`

type Row = Omit<StoredRole, 'permissions'> & { permissions: string }
const roleOf = <R extends Row>(row: R): R & StoredRole => ({ ...row, permissions: BigInt(row.permissions) })

/** The highest first, everyone's last. */
export async function listRoles(ctx: Context): Promise<RoleSummary[]> {
  const rows = await ctx.db.many<Row & { users: number }>(sql`
    select ${columns}, (select count(*)::int from users u where u.role_id = r.id) as users
    from roles r order by r.position desc, r.id`)
  return rows.map(roleOf)
}

/** The name of a role on the command line. */
export const nameForCommands = ({ id, name }: Pick<StoredRole, 'id' | 'name'>): string =>
  id === EVERYONE ? 'user' : name

/** Ignores case. The original names of the roles that come with the server stay valid when they are renamed. */
export async function findRoleNamed(ctx: Context, name: string): Promise<StoredRole | null> {
  const wanted = name.trim().toLowerCase()
  const builtIn = Object.entries(ROLES).find(([known]) => known === wanted)?.[1] ?? null
  const row = await ctx.db.maybe<Row>(sql`
    select ${columns} from roles r where (lower(r.name) = lower(${wanted}) and r.id <> ${EVERYONE}) or r.id = ${builtIn}
    order by r.id = ${builtIn} nulls first limit 1`)
  return row && roleOf(row)
}

/** Throws NotFound. */
export async function getRole(ctx: Context, id: string): Promise<StoredRole> {
  const row = await ctx.db.maybe<Row>(sql`select ${columns} from roles r where r.id = ${id}`)
  if (!row) throw new NotFound()
  return roleOf(row)
}

/** Whether users without a role may invite others. */
export const mayEveryoneInvite = async (ctx: Context): Promise<boolean> =>
  ((await getRole(ctx, EVERYONE)).permissions & permissionBits('invite_users')) !== 0n

/** The limits of a staff member in changing and giving roles. The command line has none. */
export type Rank = { permissions: bigint; position: number; roleId: string }

const UNLIMITED: Rank = { permissions: permissionBit('administrator'), position: Infinity, roleId: ROLES.owner }

export async function rankOf(ctx: Context, staffId: StaffId): Promise<Rank> {
  if (staffId === null) return UNLIMITED
  const row = await ctx.db.maybe<Pick<Roles, 'position'> & { permissions: string; role_id: string }>(sql`
    select r.position, ${effectivePermissions} as permissions, u.role_id
    from users u join roles r on r.id = u.role_id where u.account_id = ${staffId}`)
  if (!row) throw new Forbidden()
  return { permissions: BigInt(row.permissions), position: row.position, roleId: row.role_id }
}

/** Staff may change and give only roles below their own; owners also the owner's role. */
export const mayTouchRole = (rank: Omit<Rank, 'permissions'>, role: Pick<StoredRole, 'position'>): boolean =>
  role.position < rank.position || (rank.roleId === ROLES.owner && role.position === rank.position)

const grants = (rank: Rank, permissions: bigint): boolean =>
  (rank.permissions & permissionBits('administrator')) !== 0n || (permissions & ~rank.permissions) === 0n

/** Staff may not give permissions that they lack: otherwise they could give them to a second account of their own. */
export const mayGiveRole = (rank: Rank, role: Pick<StoredRole, 'position' | 'permissions'>): boolean =>
  mayTouchRole(rank, role) && grants(rank, role.permissions)

/** The permissions that the form offers: those that the staff member has, and for everyone's role the harmless ones. */
export const mayGrant = (rank: Rank, role: Pick<StoredRole, 'id'> | null, permission: bigint): boolean =>
  role?.id !== ROLES.owner && grants(rank, permission) && (role?.id !== EVERYONE || (permission & ~FOR_EVERYONE) === 0n)

export type RoleValues = Omit<StoredRole, 'id'>

/** The values to store. Throws Invalid. `role`: as it is now; null for a new one. */
export function checkRole(rank: Rank, role: StoredRole | null, values: RoleValues): RoleValues {
  const isEveryone = role?.id === EVERYONE
  const isFixed = isEveryone || role?.id === ROLES.owner
  const name = isEveryone ? '' : values.name.trim()
  const position = isFixed && role ? role.position : values.position
  const color = values.color.trim().toLowerCase()
  const { permissions, collection_limit, require_2fa } = values
  if (!isEveryone && name === '') throw invalidFieldWithDetails('name', 'blank')
  if ([...name].length > MAX_ROLE_NAME) throw invalidFieldWithDetails('name', 'too_long', { count: MAX_ROLE_NAME })
  if (color !== '' && !/^#[0-9a-f]{6}$/.test(color)) throw invalidFieldWithDetails('color', 'invalid')
  if (!isFixed) checkRange('position', position, MAX_POSITION)
  if (!isFixed && position >= rank.position) throw invalidFieldWithDetails('position', 'role_position_elevated')
  checkRange('collection_limit', collection_limit, MAX_COLLECTIONS)
  checkPermissions(rank, role, permissions)
  return {
    name,
    color,
    position,
    permissions,
    collection_limit,
    require_2fa,
    highlighted: values.highlighted && !isEveryone,
  }
}

/** Throws Invalid unless `value` is a whole number from 0 to `max`. */
function checkRange(field: 'position' | 'collection_limit', value: number, max: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= max) return
  throw value > 0
    ? invalidFieldWithDetails(field, 'at_most', { count: max })
    : invalidFieldWithDetails(field, 'at_least', { count: 0 })
}

function checkPermissions(rank: Rank, role: StoredRole | null, permissions: bigint): void {
  const changed = permissions ^ (role?.permissions ?? 0n)
  if (role?.id === ROLES.owner && changed !== 0n) throw invalidFieldWithDetails('permissions', 'role_owner_fixed')
  if (role?.id === EVERYONE && (permissions & ~FOR_EVERYONE) !== 0n)
    throw invalidFieldWithDetails('permissions', 'role_everyone_dangerous')
  if (!grants(rank, changed)) throw invalidFieldWithDetails('permissions', 'role_permissions_elevated')
}

/** Locks the table of roles for a change: two at once cannot give the same name twice, and none is given while it is deleted. */
export async function lockRoles(tx: Context): Promise<void> {
  await tx.db.run(sql`lock table roles in share row exclusive mode`)
}

/** Throws Invalid. Needs `lockRoles`. */
export async function checkRoleName(tx: Context, id: string | null, name: string): Promise<void> {
  if (name === '') return
  const isReserved = ['user', 'everyone'].includes(name.toLowerCase())
  const other = await tx.db.maybe(
    sql`select from roles where lower(name) = lower(${name}) and id is distinct from ${id}::bigint`,
  )
  if (other || isReserved) throw invalidFieldWithDetails('name', 'taken')
}

export async function insertRole(tx: Context, values: RoleValues): Promise<StoredRole> {
  const { name, color, position, permissions, highlighted, collection_limit: limit, require_2fa: required } = values
  const row = await tx.db.one<Row>(sql`
    insert into roles as r (name, color, position, permissions, highlighted, collection_limit, require_2fa)
    values (${name}, ${color}, ${position}, ${String(permissions)}::bigint, ${highlighted}, ${limit}, ${required}) returning ${columns}`)
  return roleOf(row)
}

export async function updateRole(tx: Context, id: string, values: RoleValues): Promise<void> {
  const { name, color, position, permissions, highlighted, collection_limit: limit, require_2fa: required } = values
  await tx.db.run(sql`
    update roles set name = ${name}, color = ${color}, position = ${position}, permissions = ${String(permissions)}::bigint,
      highlighted = ${highlighted}, collection_limit = ${limit}, require_2fa = ${required}, updated_at = now()
    where id = ${id}`)
}

/** Its users get the role of everyone. */
export async function deleteRole(tx: Context, id: string): Promise<void> {
  await tx.db.run(sql`update users set role_id = ${EVERYONE} where role_id = ${id}`)
  await tx.db.run(sql`delete from roles where id = ${id}`)
}

/** The badge is part of the profile, whose cached form is valid until its row changes. */
export async function refreshBadges(tx: Context, roleId: string): Promise<void> {
  if (roleId === EVERYONE) return
  await tx.db.run(sql`
    update accounts set fetched_at = fetched_at where id in (select account_id from users where role_id = ${roleId})`)
}

/** Throws NotFound for an account without a user. Returns its user and the role before, null when it had this one already. */
export async function storeRole(
  tx: Context,
  accountId: string,
  roleId: string,
): Promise<{ userId: string; before: string | null; username: string }> {
  const row = await tx.db.maybe<{ userId: string; before: string | null; username: string }>(sql`
    with old as (
      select u.id, u.account_id, case when r.id <> ${roleId} then r.name end as before, a.username from users u join roles r on r.id = u.role_id join accounts a on a.id = u.account_id
      where u.account_id = ${accountId} for update of u),
    changed as (update users set role_id = ${roleId} from old where users.id = old.id)
    select id as "userId", before, username from old`)
  if (!row) throw new NotFound()
  await tx.db.run(sql`update accounts set fetched_at = fetched_at where id = ${accountId}`)
  return row
}

export type RoleMember = { id: string; username: string }
const MAX_MEMBERS = 200

/** Local accounts with the role, the newest first. None for everyone's role. */
export const listRoleMembers = (ctx: Context, roleId: string): Promise<RoleMember[]> =>
  ctx.db.many<RoleMember>(sql`
    select a.id, a.username from users u join accounts a on a.id = u.account_id
    where u.role_id = ${roleId} and u.role_id <> ${EVERYONE} order by u.id desc limit ${MAX_MEMBERS}`)
