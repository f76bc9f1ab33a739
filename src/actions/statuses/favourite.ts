import type { Context } from '../../context.ts'
import { addToLibraryIndex, removeFromLibraryIndex } from '../../domain/search/status-index.ts'
import { statusUri } from '../../domain/server/addresses.ts'
import { deleteFavourite, insertFavourite, type FavouriteOptions } from '../../domain/statuses/interactions.ts'
import { NotFound } from '../../lib/errors.ts'
import { federate } from '../federate.ts'
import { notify, unnotify } from '../notifications/notify.ts'

/**
 * Favourites a status: counts it, notifies the author and tells the author's server. A favourite that needs approval only asks for
 * it. Returns false when the account had favourited it before. Throws NotFound when the status is gone.
 */
export const favourite = (
  ctx: Context,
  accountId: string,
  statusId: string,
  options: FavouriteOptions = {},
): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const inserted = await insertFavourite(tx, accountId, statusId, options)
    if (!inserted) throw new NotFound()
    const { id, local, author_domain } = inserted
    if (id === null) return false
    if (local) await addToLibraryIndex(tx, accountId, statusId)
    if (options.approval) {
      await federate(tx, { activity: 'request', interaction: 'like', accountId, id })
      return true
    }
    await notify(tx, { type: 'favourite', fromAccountId: accountId, statusId, to: 'author' })
    if (local && author_domain !== null) await federate(tx, { activity: 'like', accountId, statusId, favouriteId: id })
    return true
  })

/** Undoes a favourite. Returns whether there was one. */
export const unfavourite = (ctx: Context, accountId: string, statusId: string): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const deleted = await deleteFavourite(tx, accountId, statusId)
    if (!deleted) return false
    const { id: favouriteId, local, author_id, author_domain, username, uri } = deleted
    if (local) await removeFromLibraryIndex(tx, accountId, statusId)
    await unnotify(tx, { type: 'favourite', fromAccountId: accountId, statusId })
    if (local && author_domain !== null) {
      const originalUri = uri ?? statusUri(tx, username, statusId)
      await federate(tx, { activity: 'like', undo: true, accountId, favouriteId, originalUri, to: [author_id] })
    }
    return true
  })
