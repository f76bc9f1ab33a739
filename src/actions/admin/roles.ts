import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context.ts'
import { insertAuditEntry } from '../../domain/audit/audit-log.ts'
import { checkOutranks, type StaffId } from '../../domain/auth/staff.ts'
import { labelOf } from '../../domain/moderation/accounts.ts'
import {
  checkRole,
  checkRoleName,
  deleteRole,
  getRole,
  insertRole,
  isBuiltInRole,
  lockRoles,
  mayGiveRole,
  mayTouchRole,
  rankOf,
  refreshBadges,
  storeRole,
  updateRole,
  type StoredRole,
  type RoleValues,
} from '../../domain/roles/roles.ts'
import { Forbidden } from '../../lib/errors.ts'

/** Throws Invalid, also for permissions that the staff member lacks, and for a position that is not below their own. */
export const createRole = (ctx: Context, staffId: StaffId, form: RoleValues): Promise<StoredRole> =>
  ctx.transaction(async (tx) => {
    await lockRoles(tx)
    const values = checkRole(await rankOf(tx, staffId), null, form)
    await checkRoleName(tx, null, values.name)
    const role = await insertRole(tx, values)
    await insertAuditEntry(tx, staffId, {
      type: 'role',
      action: 'create',
      id: role.id,
      label: role.name,
      details: { permissions: String(role.permissions), position: role.position, require_2fa: role.require_2fa },
    })
    return role
  })

/**
 * Does nothing for the same values. Throws NotFound; Forbidden for a role that is not below that of the staff member; Invalid as
 * `createRole`.
 */
export const changeRole = (ctx: Context, staffId: StaffId, id: string, form: RoleValues): Promise<void> =>
  ctx.transaction(async (tx) => {
    await lockRoles(tx)
    const rank = await rankOf(tx, staffId)
    const before = await getRole(tx, id)
    if (!mayTouchRole(rank, before)) throw new Forbidden()
    const values = checkRole(rank, before, form)
    if (isDeepStrictEqual({ id, ...values }, before)) return
    await checkRoleName(tx, id, values.name)
    await updateRole(tx, id, values)
    await refreshBadges(tx, id)
    await insertAuditEntry(tx, staffId, {
      type: 'role',
      action: 'update',
      id,
      label: values.name,
      details: {
        permissions: String(values.permissions),
        before: String(before.permissions),
        position: values.position,
        require_2fa: values.require_2fa,
      },
    })
    // Whether everyone may invite is part of the instance documents.
    tx.publish({ type: 'settings.changed' })
  })

/** Its users lose it. Throws NotFound and Forbidden; built-in roles cannot be removed. */
export const removeRole = (ctx: Context, staffId: StaffId, id: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    await lockRoles(tx)
    const role = await getRole(tx, id)
    if (isBuiltInRole(id) || !mayTouchRole(await rankOf(tx, staffId), role)) throw new Forbidden()
    await refreshBadges(tx, id)
    await deleteRole(tx, id)
    await insertAuditEntry(tx, staffId, { type: 'role', action: 'delete', id, label: role.name })
  })

/**
 * Gives a local account a role. The role of everyone takes away any other. Throws NotFound; Forbidden unless both the account's
 * role and the new one are below that of the staff member (owners may make owners), who must have all permissions of the new one.
 */
export const assignRole = (ctx: Context, staffId: StaffId, accountId: string, roleId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    await lockRoles(tx)
    const rank = await rankOf(tx, staffId)
    const role = await getRole(tx, roleId)
    await checkOutranks(tx, staffId, accountId)
    if (!mayGiveRole(rank, role)) throw new Forbidden()
    const { userId, before, username } = await storeRole(tx, accountId, roleId)
    if (before === null) return
    await insertAuditEntry(tx, staffId, {
      type: 'account',
      action: 'change_role',
      id: accountId,
      label: labelOf({ username, domain: null }),
      details: { role: role.name, before },
    })
    tx.publish({ type: 'user.changed', userId })
  })
