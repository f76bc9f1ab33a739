import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context.ts'
import { insertAuditEntries, insertAuditEntry } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import {
  deleteUsernameBlocks,
  getUsernameBlock,
  insertUsernameBlock,
  updateUsernameBlock,
  type UsernameBlock,
  type UsernameBlockValues,
} from '../../domain/registration/username-blocks.ts'
import { NotFound } from '../../lib/errors.ts'

/** Throws Invalid. */
export const blockUsername = (ctx: Context, staffId: StaffId, values: UsernameBlockValues): Promise<void> =>
  ctx.transaction(async (tx) => insertAuditEntry(tx, staffId, entryOf('create', await insertUsernameBlock(tx, values))))

/** Does nothing for the same values. Throws NotFound and Invalid. */
export const changeUsernameBlock = (
  ctx: Context,
  staffId: StaffId,
  id: string,
  values: UsernameBlockValues,
): Promise<void> =>
  ctx.transaction(async (tx) => {
    const before = await getUsernameBlock(tx, id)
    const block = await updateUsernameBlock(tx, id, values)
    if (!isDeepStrictEqual(block, before)) await insertAuditEntry(tx, staffId, entryOf('update', block))
  })

/** Throws NotFound when none of them exists. */
export const unblockUsernames = (ctx: Context, staffId: StaffId, ids: readonly string[]): Promise<void> =>
  ctx.transaction(async (tx) => {
    const removed = await deleteUsernameBlocks(tx, ids)
    if (removed.length === 0) throw new NotFound()
    await insertAuditEntries(
      tx,
      staffId,
      removed.map((block) => entryOf('delete', block)),
    )
  })

const entryOf = (
  action: 'create' | 'update' | 'delete',
  { id, username: label, exact, allow_with_approval }: UsernameBlock,
) => ({ type: 'username_block' as const, action, id, label, details: { exact, allow_with_approval } })
