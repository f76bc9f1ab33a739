import type { Context } from '../../context.ts'
import { deleteFavourite, insertFavourite, type FavouriteOptions } from '../../domain/statuses/interactions.ts'
import { NotFound } from '../../lib/errors.ts'
import { statusUri } from '../../domain/server/addresses.ts'
import { notify, unnotify } from '../notifications/notify.ts'
import { indexKept, unindexKept } from '../../domain/search/status-index.ts'
import { federate } from '../federate.ts'

/**
 * Marks a status as a favourite of an account, once: counts, notifies the author, tells the author's server. One that needs
 * approval only asks for it. Returns whether it is new. Throws NotFound when the status is gone.
 */
export async function favourite(
  ctx: Context,
  accountId: string,
  statusId: string,
  { uri = null, approval = null, approvalUri = null }: FavouriteOptions = {},
): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const row = await insertFavourite(tx, accountId, statusId, { uri, approval, approvalUri })
    if (!row) throw new NotFound()
    if (row.id === null) return false
    if (row.local) await indexKept(tx, accountId, statusId)
    if (approval !== null) {
      await federate(tx, { activity: 'request', interaction: 'like', accountId, id: row.id })
      return true
    }
    await notify(tx, { type: 'favourite', fromAccountId: accountId, statusId, to: 'author' })
    if (row.local && row.author_domain !== null)
      await federate(tx, { activity: 'like', accountId, statusId, favouriteId: row.id })
    return true
  })
}

/** Undoes a favourite. Returns whether there was one. */
export async function unfavourite(ctx: Context, accountId: string, statusId: string): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const row = await deleteFavourite(tx, accountId, statusId)
    if (!row) return false
    if (row.local) await unindexKept(tx, accountId, statusId)
    await unnotify(tx, { type: 'favourite', fromAccountId: accountId, statusId })
    if (row.local && row.author_domain !== null) {
      const originalUri = row.uri ?? statusUri(tx, row.username, statusId)
      await federate(tx, {
        activity: 'like',
        undo: true,
        accountId,
        favouriteId: row.id,
        originalUri,
        to: [row.author_id],
      })
    }
    return true
  })
}
