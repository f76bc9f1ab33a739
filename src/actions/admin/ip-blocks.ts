import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context.ts'
import { insertAuditEntries, insertAuditEntry } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import {
  deleteIpBlocks,
  getIpBlock,
  insertIpBlock,
  updateIpBlock,
  type IpBlock,
  type IpBlockChanges,
  type IpBlockSeverity,
} from '../../domain/registration/ip-blocks.ts'
import { NotFound, invalidFieldWithDetails } from '../../lib/errors.ts'
import { plainAddress, rangeMatcher } from '../../net/ranges.ts'

/** `ip`: the address from which the staff member sends the request. Both are null on the command line. */
type Requester = { staffId: StaffId; ip: string | null }

/** Throws Invalid, also for a block that would shut out the requester. */
export const blockIp = (
  ctx: Context,
  requester: Requester,
  values: IpBlockChanges & { ip: string; severity: IpBlockSeverity },
): Promise<IpBlock> =>
  ctx.transaction(async (tx) => {
    const block = await insertIpBlock(tx, values)
    checkOwnAccess(block, requester)
    await insertAuditEntry(tx, requester.staffId, entryOf('create', block))
    tx.publish({ type: 'settings.changed' })
    return block
  })

/** Throws NotFound, and Invalid as `blockIp`. */
export const changeIpBlock = (
  ctx: Context,
  requester: Requester,
  id: string,
  changes: IpBlockChanges,
): Promise<IpBlock> =>
  ctx.transaction(async (tx) => {
    const before = await getIpBlock(tx, id)
    const block = await updateIpBlock(tx, id, changes)
    checkOwnAccess(block, requester)
    if (isDeepStrictEqual(block, before)) return block
    const more = { before: { ip: before.ip, severity: before.severity } }
    await insertAuditEntry(tx, requester.staffId, entryOf('update', block, more))
    tx.publish({ type: 'settings.changed' })
    return block
  })

/** Throws NotFound when none of them exists. */
export const removeIpBlocks = (ctx: Context, staffId: StaffId, ids: readonly string[]): Promise<void> =>
  ctx.transaction(async (tx) => {
    const removed = await deleteIpBlocks(tx, ids)
    if (removed.length === 0) throw new NotFound()
    await insertAuditEntries(
      tx,
      staffId,
      removed.map((block) => entryOf('delete', block)),
    )
    tx.publish({ type: 'settings.changed' })
  })

function checkOwnAccess({ ip, severity }: IpBlock, requester: Requester): void {
  const own = requester.ip === null ? null : plainAddress(requester.ip)
  if (severity === 'no_access' && own !== null && rangeMatcher([ip])(own))
    throw invalidFieldWithDetails('ip', 'ip_block_own')
}

const entryOf = (
  action: 'create' | 'update' | 'delete',
  { id, ip: label, severity, expires_at }: IpBlock,
  more: object = {},
) => ({ type: 'ip_block' as const, action, id, label, details: { severity, expires_at, ...more } })
