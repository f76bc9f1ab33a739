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
 * Brings the home feed of a list's owner in line with the exclusive lists. Reading the home timeline applies them at once, so
 * this may run later.
 */
const rebuildHomeOf = (tx: Context, accountId: string): Promise<void> => tx.enqueue('fanout.rebuild', { accountId })

/** Changes a list; absent members stay as they are. Throws Invalid for an empty title, NotFound. */
export const changeList = (ctx: Context, accountId: string, id: string, changes: ListChanges): Promise<ListRow> =>
  ctx.transaction(async (tx) => {
    const { list, homeChanged } = await updateListRow(tx, accountId, id, changes)
    if (homeChanged) await rebuildHomeOf(tx, accountId)
    return list
  })

/** Deletes a list; its members stay followed. Throws NotFound. */
export const removeList = (ctx: Context, accountId: string, id: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const { exclusive } = await deleteListRow(tx, accountId, id)
    if (exclusive) await rebuildHomeOf(tx, accountId)
  })

/**
 * Adds accounts to a list, all or none. Throws NotFound unless its owner follows each of them, has requested to follow it, or is
 * that account; Invalid when one is a member already.
 */
export async function addListMembers(ctx: Context, list: ListRow, accountIds: readonly string[]): Promise<void> {
  const ids = [...new Set(accountIds)]
  if (ids.length === 0) return
  await ctx.transaction(async (tx) => {
    const { exclusive } = await insertMembers(tx, list, ids)
    if (exclusive) await rebuildHomeOf(tx, list.account_id)
  })
}

/** Removes accounts from a list; ignores those that are no members. */
export const removeListMembers = (ctx: Context, list: ListRow, accountIds: readonly string[]): Promise<void> =>
  ctx.transaction(async (tx) => {
    const { exclusive } = await deleteMembers(tx, list, accountIds)
    if (exclusive) await rebuildHomeOf(tx, list.account_id)
  })
