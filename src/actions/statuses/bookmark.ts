import type { Context } from '../../context.ts'
import { addToLibraryIndex, removeFromLibraryIndex } from '../../domain/search/status-index.ts'
import { deleteBookmark, insertBookmark } from '../../domain/statuses/interactions.ts'

/** Bookmarks a status, which the account can then find by search. Only the account learns of it. May run twice. */
export const bookmark = (ctx: Context, accountId: string, statusId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    if (await insertBookmark(tx, accountId, statusId)) await addToLibraryIndex(tx, accountId, statusId)
  })

/** Deletes a bookmark. Returns whether there was one. */
export const unbookmark = (ctx: Context, accountId: string, statusId: string): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const deleted = await deleteBookmark(tx, accountId, statusId)
    if (deleted) await removeFromLibraryIndex(tx, accountId, statusId)
    return deleted
  })
