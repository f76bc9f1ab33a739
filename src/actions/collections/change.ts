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
  markRevoked,
  removeFromEachOthersCollections,
  type RemovedItem,
} from '../../domain/collections/items.ts'
import type { FederatedAct } from '../../jobs/distribution.ts'
import { federate } from '../federate.ts'
import { notify, unnotify } from '../notifications/notify.ts'

/** Returns the id. Throws Invalid with `details`, and what `addItems` throws. */
export const startCollection = (
  ctx: Context,
  ownerId: string,
  values: CollectionChanges,
  accountIds: readonly string[] = [],
): Promise<string> =>
  ctx.transaction(async (tx) => {
    const id = await insertCollection(tx, ownerId, values)
    await addItems(tx, ownerId, id, accountIds)
    return id
  })

/** Notifies the members of a new name, description or hashtag. Throws Invalid with `details`, Forbidden unless it is the owner's, NotFound. */
export const changeCollection = (
  ctx: Context,
  ownerId: string,
  id: string,
  changes: CollectionChanges,
): Promise<void> =>
  ctx.transaction(async (tx) => {
    const to = await updateCollectionRow(tx, ownerId, id, changes)
    if (to.length > 0) await notify(tx, { type: 'collection_update', fromAccountId: ownerId, subjectId: id, to })
  })

/** Throws Forbidden unless it is the owner's, NotFound. */
export const removeCollection = (ctx: Context, ownerId: string, id: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    await deleteCollectionRow(tx, ownerId, id)
    await unnotifyOf(tx, ownerId, id, null)
  })

/** Adds all accounts or none, and notifies them. Throws what `insertItems` throws. */
export async function addItems(
  ctx: Context,
  ownerId: string,
  collectionId: string,
  accountIds: readonly string[],
): Promise<ItemRow[]> {
  const ids = [...new Set(accountIds)]
  if (ids.length === 0) return []
  return ctx.transaction(async (tx) => {
    const items = await insertItems(tx, ownerId, collectionId, ids)
    await notify(tx, { type: 'added_to_collection', fromAccountId: ownerId, subjectId: collectionId, to: ids })
    return items
  })
}

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

/** Removes two accounts, the first of which blocks the second, from each other's collections. */
export async function leaveEachOther(tx: Context, accountId: string, targetAccountId: string): Promise<void> {
  const { deleted, revoked } = await removeFromEachOthersCollections(tx, accountId, targetAccountId)
  await spreadRemoval(tx, [...deleted, ...revoked])
}

/** For items that are deleted or revoked: their accounts are not in the collections any more. */
async function spreadRemoval(tx: Context, items: readonly RemovedItem[]): Promise<void> {
  for (const { collection_id: id, owner_id: ownerId, account_id: accountId } of items)
    if (accountId !== null) await unnotifyOf(tx, ownerId, id, [accountId])
  await federate(
    tx,
    items.flatMap((item) => removalOf(item) ?? []),
  )
}

/** A remote collection is told that the local account is not to be in it. */
function removalOf({ id: itemId, account_id: accountId, owner_id: ownerId, uri }: RemovedItem): FederatedAct | null {
  if (uri === null || accountId === null) return null
  return { activity: 'revoke-feature', accountId, itemId, collectionUri: uri, to: [ownerId] }
}

/** `to`: null means all accounts. */
async function unnotifyOf(
  tx: Context,
  ownerId: string,
  collectionId: string,
  to: readonly string[] | null,
): Promise<void> {
  for (const type of ['added_to_collection', 'collection_update'] as const)
    await unnotify(tx, { type, fromAccountId: ownerId, subjectId: collectionId, to })
}
