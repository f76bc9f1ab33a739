import type { Context } from '../context.ts'
import {
  type ListChanges,
  type ListRow,
  deleteListRow,
  deleteMembers,
  insertMembers,
  updateListRow,
} from '../domain/lists/lists.ts'

/**
 * Applies the exclusive lists to the stored home feed. The home timeline applies them when it is read, so this may run later.
 */
const rebuildHomeOf = (tx: Context, accountId: string): Promise<void> => tx.enqueue('fanout.rebuild', { accountId })

/** Absent members stay as they are. Throws Invalid for an empty title, NotFound. */
export const changeList = (ctx: Context, accountId: string, id: string, changes: ListChanges): Promise<ListRow> =>
  ctx.transaction(async (tx) => {
    const { list, homeChanged } = await updateListRow(tx, accountId, id, changes)
    if (homeChanged) await rebuildHomeOf(tx, accountId)
    return list
  })

/** Members stay followed. Throws NotFound. */
export const removeList = (ctx: Context, accountId: string, id: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const { exclusive } = await deleteListRow(tx, accountId, id)
    if (exclusive) await rebuildHomeOf(tx, accountId)
  })

/** Adds all accounts or none. Throws what `insertMembers` throws. */
export async function addListMembers(ctx: Context, list: ListRow, accountIds: readonly string[]): Promise<void> {
  const ids = [...new Set(accountIds)]
  if (ids.length === 0) return
  await ctx.transaction(async (tx) => {
    const { exclusive } = await insertMembers(tx, list, ids)
    if (exclusive) await rebuildHomeOf(tx, list.account_id)
  })
}

/** Ignores accounts that are not members. */
export const removeListMembers = (ctx: Context, list: ListRow, accountIds: readonly string[]): Promise<void> =>
  ctx.transaction(async (tx) => {
    const { exclusive } = await deleteMembers(tx, list, accountIds)
    if (exclusive) await rebuildHomeOf(tx, list.account_id)
  })
