import { perServer, type Context } from '../../context.ts'
import { deleteNotificationsOfEvent } from '../../domain/notifications/create.ts'
import { recordStatusEvent } from '../../domain/fasp/sharing.ts'
import { addToLibraryIndex, removeFromLibraryIndex } from '../../domain/search/status-index.ts'
import { statusUri } from '../../domain/server/addresses.ts'
import { findRemotelyFollowed } from '../../domain/statuses/audience.ts'
import type { StatusRow } from '../../domain/statuses/find.ts'
import {
  type FavouriteOptions,
  type NewFavourite,
  deleteBookmark,
  deleteFavourite,
  deletePin,
  insertBookmark,
  insertPin,
} from '../../domain/statuses/interactions.ts'
import { type InsertedFavourite, insertFavourites } from '../../domain/notifications/favourite.ts'
import { batched } from '../../lib/batch.ts'
import { causedBy, type Cause, currentCause } from '../../lib/cause.ts'
import { NotFound, invalidRequest } from '../../lib/errors.ts'
import { federate } from '../federate.ts'
import { streamAndPush } from '../notifications/notify.ts'

/** Favourites that one transaction stores: the rows that it changes are locked until it ends. */
const MAX_FAVOURITES = 25

type Act = NewFavourite & { cause: Cause | null }

const batches = perServer((ctx) =>
  batched((acts: Act[]) => ctx.transaction((tx) => favouriteAll(tx, acts)), MAX_FAVOURITES, { gather: true }),
)

/**
 * A favourite that needs approval only asks for it. Returns false when the account had favourited the status before. Throws
 * NotFound when the status is gone. Favourites that arrive together share statements and a transaction.
 */
export async function favourite(
  ctx: Context,
  accountId: string,
  statusId: string,
  options: FavouriteOptions = {},
): Promise<boolean> {
  const act = { ...options, accountId, statusId, cause: currentCause() }
  const [isNew] = ctx.isTransaction ? await favouriteAll(ctx, [act]) : [await batches(ctx)(act)]
  if (isNew === undefined || isNew === null) throw new NotFound()
  return isNew
}

/** Null for statuses that are gone. */
async function favouriteAll(tx: Context, acts: readonly Act[]): Promise<(boolean | null)[]> {
  const [{ inserted, notifications }] = await Promise.all([
    insertFavourites(tx, acts),
    addToLibraryIndex(
      tx,
      acts.filter(({ uri }) => !uri),
    ),
  ])
  await streamAndPush(tx, notifications)
  await Promise.all(acts.map((act, i) => causedBy(act.cause, () => federateFavourite(tx, act, inserted[i] ?? null))))
  await recordStatusEvent(
    tx,
    'trending',
    acts.flatMap(({ statusId }, i) => (inserted[i]?.id ? [statusId] : [])),
  )
  return inserted.map((favourite) => favourite && favourite.id !== null)
}

async function federateFavourite(tx: Context, act: Act, inserted: InsertedFavourite | null): Promise<void> {
  if (!inserted || inserted.id === null) return
  const { accountId, statusId } = act
  if (act.approval) await federate(tx, { activity: 'request', interaction: 'like', accountId, id: inserted.id })
  else if (!act.uri && inserted.authorDomain !== null)
    await federate(tx, { activity: 'like', accountId, statusId, favouriteId: inserted.id })
}

export const unfavourite = (ctx: Context, accountId: string, statusId: string): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const deleted = await deleteFavourite(tx, accountId, statusId)
    if (!deleted) return false
    const { id: favouriteId, local, author_id, author_domain, username, uri } = deleted
    await Promise.all([
      local && removeFromLibraryIndex(tx, accountId, statusId),
      deleteNotificationsOfEvent(tx, { type: 'favourite', fromAccountId: accountId, statusId }),
    ])
    if (local && author_domain !== null) {
      const originalUri = uri ?? statusUri(tx, username, statusId)
      await federate(tx, { activity: 'like', undo: true, accountId, favouriteId, originalUri, to: [author_id] })
    }
    return true
  })

/** The account can then find the status by search. May run twice. */
export const bookmark = (ctx: Context, accountId: string, statusId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    await Promise.all([insertBookmark(tx, accountId, statusId), addToLibraryIndex(tx, [{ accountId, statusId }])])
  })

export const unbookmark = (ctx: Context, accountId: string, statusId: string): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const deleted = await deleteBookmark(tx, accountId, statusId)
    if (deleted) await removeFromLibraryIndex(tx, accountId, statusId)
    return deleted
  })

/** Throws Invalid for a status that cannot be pinned and above the limit. May run twice. */
export async function pin(ctx: Context, accountId: string, status: StatusRow): Promise<void> {
  if (status.reblog_of_id !== null) throw invalidRequest('pin_reblog')
  if (status.account_id !== accountId) throw invalidRequest('pin_foreign')
  if (status.visibility === 'direct') throw invalidRequest('pin_direct')
  await ctx.transaction(async (tx) => {
    if (await insertPin(tx, accountId, status.id)) await federatePin(tx, accountId, status)
  })
}

export const unpin = (ctx: Context, accountId: string, status: StatusRow): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const deleted = await deletePin(tx, accountId, status.id)
    if (deleted) await federatePin(tx, accountId, status, { undo: true })
    return deleted
  })

/** Leaves out private statuses, as the featured collection does. */
async function federatePin(
  tx: Context,
  accountId: string,
  status: StatusRow,
  direction: { undo?: true } = {},
): Promise<void> {
  if (status.visibility === 'private') return
  const followed = await findRemotelyFollowed(tx, [accountId])
  if (followed.has(accountId)) await federate(tx, { activity: 'feature', ...direction, accountId, statusId: status.id })
}
