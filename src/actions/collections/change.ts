import type { Context } from '../../context.ts'
import {
  type CollectionChanges,
  deleteCollectionRow,
  insertCollection,
  updateCollectionRow,
} from '../../domain/collections/collections.ts'
import {
  deleteItem,
  insertItems,
  type ItemRow,
  markAccepted,
  markRejected,
  markRevoked,
  removeFromEachOthersCollections,
  type AffectedItem,
  type Blocked,
} from '../../domain/collections/items.ts'
import { deleteCollectionNotifications } from '../../domain/notifications/collections.ts'
import { lockUnlessDeleted } from '../../domain/peers/tombstones.ts'
import type { FederatedAct } from '../../jobs/distribution.ts'
import { federate } from '../federate.ts'
import { notify } from '../notifications/notify.ts'

/** Returns the id. Throws Invalid with `details`, and what `addItems` throws. */
export const startCollection = (
  ctx: Context,
  ownerId: string,
  values: CollectionChanges,
  accountIds: readonly string[],
): Promise<string> =>
  ctx.transaction(async (tx) => {
    const id = await insertCollection(tx, ownerId, values)
    await insertAndNotify(tx, ownerId, id, accountIds)
    await federate(tx, { activity: 'collection', accountId: ownerId, collectionId: id })
    return id
  })

/**
 * Notifies the members of a new name, description or hashtag. Throws Invalid with `details`, Forbidden unless it is the owner's,
 * NotFound.
 */
export const changeCollection = (
  ctx: Context,
  ownerId: string,
  id: string,
  changes: CollectionChanges,
): Promise<void> =>
  ctx.transaction(async (tx) => {
    const to = await updateCollectionRow(tx, ownerId, id, changes)
    if (to.length > 0) await notify(tx, { type: 'collection_update', fromAccountId: ownerId, subjectId: id, to })
    await federate(tx, { activity: 'update-collection', accountId: ownerId, collectionId: id })
  })

/** Throws Forbidden unless it is the owner's, NotFound. */
export const removeCollection = (ctx: Context, ownerId: string, id: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const to = await deleteCollectionRow(tx, ownerId, id)
    await deleteCollectionNotifications(tx, [{ ownerId, collectionId: id, accountId: null }])
    await federate(tx, { activity: 'collection', undo: true, accountId: ownerId, collectionId: id, to })
  })

/** Adds all accounts or none, and notifies them. Remote accounts are asked first. Throws what `insertItems` throws. */
export const addItems = (
  ctx: Context,
  ownerId: string,
  collectionId: string,
  accountIds: readonly string[],
): Promise<ItemRow[]> =>
  ctx.transaction(async (tx) => {
    const items = await insertAndNotify(tx, ownerId, collectionId, accountIds)
    await federate(
      tx,
      items.filter(({ state }) => state === 'accepted').map(({ id }) => additionOf(ownerId, collectionId, id)),
    )
    return items
  })

const additionOf = (ownerId: string, collectionId: string, itemId: string): FederatedAct => ({
  activity: 'collection-item',
  accountId: ownerId,
  collectionId,
  itemId,
})

async function insertAndNotify(
  tx: Context,
  ownerId: string,
  collectionId: string,
  accountIds: readonly string[],
): Promise<ItemRow[]> {
  const to = [...new Set(accountIds)]
  if (to.length === 0) return []
  const items = await insertItems(tx, ownerId, collectionId, to)
  await notify(tx, { type: 'added_to_collection', fromAccountId: ownerId, subjectId: collectionId, to })
  const requested = items.filter(({ state }) => state === 'pending')
  await federate(
    tx,
    requested.map(({ id }) => ({
      activity: 'request' as const,
      interaction: 'feature' as const,
      accountId: ownerId,
      id,
    })),
  )
  return items
}

/** For a remote account that authorized its place in a local collection, and may have withdrawn that already. May run twice. */
export const acceptItem = (ctx: Context, id: string, approvalUri: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    if (!(await lockUnlessDeleted(tx, approvalUri))) return void (await markRejected(tx, id, 'revoked'))
    const item = await markAccepted(tx, id, approvalUri)
    if (item) await federate(tx, additionOf(item.owner_id, item.collection_id, id))
  })

/** For a remote account that refused or withdrew its authorization. May run twice. */
export const rejectItem = (ctx: Context, id: string, state: 'rejected' | 'revoked'): Promise<void> =>
  ctx.transaction(async (tx) => {
    const item = await markRejected(tx, id, state)
    if (item && state === 'revoked') await spreadRemoval(tx, [item])
  })

/** Throws Forbidden unless the collection is the owner's, NotFound. */
export const removeItem = (ctx: Context, ownerId: string, collectionId: string, itemId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    await spreadRemoval(tx, [await deleteItem(tx, ownerId, collectionId, itemId)])
  })

/** The owner cannot add the account again. May run twice. Throws Forbidden for other accounts, NotFound. */
export const revokeItem = (ctx: Context, accountId: string, collectionId: string, itemId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    await spreadRemoval(tx, [await markRevoked(tx, accountId, collectionId, itemId)])
  })

/** Removes an account, and others that it blocks, from each other's collections. */
export async function leaveEachOther(tx: Context, accountId: string, blocked: Blocked): Promise<void> {
  const { deleted, revoked } = await removeFromEachOthersCollections(tx, accountId, blocked)
  await spreadRemoval(tx, [...deleted, ...revoked])
}

/** For items that are deleted or revoked: their accounts are not in the collections any more. */
async function spreadRemoval(tx: Context, items: readonly AffectedItem[]): Promise<void> {
  const notified = items.filter(({ account_id }) => account_id !== null)
  await deleteCollectionNotifications(
    tx,
    notified.map((item) => ({ ownerId: item.owner_id, collectionId: item.collection_id, accountId: item.account_id })),
  )
  await federate(
    tx,
    items.flatMap((item) => removalOf(item)),
  )
}

/** The act that removes an item from a local collection, or withdraws the account's consent to be in a remote one. */
function removalOf(item: AffectedItem): FederatedAct[] {
  const { id: itemId, account_id: accountId, owner_id: ownerId, collection_id: collectionId, uri } = item
  if (accountId === null) return []
  if (uri === null)
    return [{ activity: 'collection-item', undo: true, accountId: ownerId, collectionId, itemId, to: [accountId] }]
  return [{ activity: 'revoke-feature', accountId, itemId, collectionUri: uri, to: [ownerId] }]
}
