// Collections of remote accounts (FEP-7aa9).
import { type FeaturedCollection, type FeaturedItem, parseFeaturedCollection } from '../../ap/featured-collection.ts'
import { asArray, isSameHost } from '../../ap/normalise.ts'
import type { Context } from '../../context.ts'
import { fetchDocument, readPages } from '../../domain/accounts/documents.ts'
import type { AccountRow } from '../../domain/accounts/find.ts'
import { findMembers } from '../../domain/collections/collections.ts'
import { deleteCollectionNotifications } from '../../domain/notifications/collections.ts'
import { insertConsent } from '../../domain/collections/items.ts'
import {
  deleteRemoteCollection,
  deleteRemoteItem,
  findRemoteCollection,
  insertRemoteItem,
  listRemoteCollections,
  MAX_REMOTE_COLLECTIONS,
  storeRemoteCollection,
} from '../../domain/collections/remote.ts'
import type { InteractionRequest } from '../../jobs/distribution.ts'
import { FetchError, isMissing } from '../../net/fetch-error.ts'
import { federate } from '../federate.ts'
import { notify } from '../notifications/notify.ts'

/**
 * Stores a collection, and notifies its local accounts of a new name, description or hashtag. A job verifies the others. The
 * caller has verified that it is from the owner's host. `wasSent`: in an activity, while other documents are read at this moment.
 * Returns the id; null when it is not stored.
 */
export async function receiveCollection(
  ctx: Context,
  owner: AccountRow,
  document: FeaturedCollection,
  { wasSent = false } = {},
): Promise<string | null> {
  if (document.attributedTo !== owner.uri) return null
  return ctx.transaction(async (tx) => {
    const stored = await storeRemoteCollection(tx, owner.id, document, { wasSent })
    if (!stored) return null
    const { id, changed, removed, hasPending } = stored
    await deleteCollectionNotifications(
      tx,
      removed.map((accountId) => ({ ownerId: owner.id, collectionId: id, accountId })),
    )
    const to = changed ? await findMembers(tx, id) : []
    if (to.length > 0) await notify(tx, { type: 'collection_update', fromAccountId: owner.id, subjectId: id, to })
    if (hasPending) await tx.enqueue('federation.collection', { collectionId: id }, { key: id })
    return id
  })
}

/** Adds one item to a stored collection; a job verifies it. Does nothing when the collection is full. */
export const receiveItem = (ctx: Context, collectionId: string, item: FeaturedItem): Promise<void> =>
  ctx.transaction(async (tx) => {
    if (await insertRemoteItem(tx, collectionId, item))
      await tx.enqueue('federation.collection', { collectionId }, { key: collectionId })
  })

/** Also keeps the collection from being stored when it arrives later. */
export const removeRemoteCollection = (ctx: Context, ownerId: string, uri: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const id = await deleteRemoteCollection(tx, ownerId, uri)
    if (id !== null) await deleteCollectionNotifications(tx, [{ ownerId, collectionId: id, accountId: null }])
  })

/** Also keeps the item from being added when it arrives later. */
export const removeRemoteItem = (ctx: Context, ownerId: string, collectionId: string, uri: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const accountId = await deleteRemoteItem(tx, collectionId, uri)
    if (accountId !== null) await deleteCollectionNotifications(tx, [{ ownerId, collectionId, accountId }])
  })

/**
 * The stored collection of a remote account, or the one from its server. Null if there is none, or it is another account's. Never
 * call it in a transaction. Throws FetchError.
 */
export async function resolveCollection(ctx: Context, owner: AccountRow, uri: string): Promise<string | null> {
  const known = await findRemoteCollection(ctx, uri)
  if (known) return known.account_id === owner.id ? known.id : null
  return refetchCollection(ctx, owner, uri)
}

/** As resolveCollection, but always from its server. */
export async function refetchCollection(ctx: Context, owner: AccountRow, uri: string): Promise<string | null> {
  if (!isSameHost(uri, owner.uri ?? '')) return null
  const document = parseFeaturedCollection((await fetchDocument(ctx, uri)).json)
  return document?.id === uri ? receiveCollection(ctx, owner, document) : null
}

/**
 * Reads the list of a remote account's collections. Stored ones that it does not contain are read, too, as a server may list only
 * some; those that their server does not have any more are deleted. Never call it in a transaction.
 */
export async function readCollections(ctx: Context, owner: AccountRow): Promise<void> {
  if (owner.featured_collections_url === null) return
  const seen = new Set<string>()
  for (const listed of await readList(ctx, owner.featured_collections_url)) {
    const document = parseFeaturedCollection(listed)
    // A page is from the host of the list, which is the owner's.
    if (document && isSameHost(document.id, owner.uri ?? '')) {
      await receiveCollection(ctx, owner, document)
      seen.add(document.id)
    } else if (typeof listed === 'string') {
      await refetchOrDelete(ctx, owner, listed)
      seen.add(listed)
    }
  }
  for (const uri of await listRemoteCollections(ctx, owner.id))
    if (!seen.has(uri)) await refetchOrDelete(ctx, owner, uri)
}

async function refetchOrDelete(ctx: Context, owner: AccountRow, uri: string): Promise<void> {
  try {
    await refetchCollection(ctx, owner, uri)
  } catch (error) {
    if (isMissing(error)) await removeRemoteCollection(ctx, owner.id, uri)
    else if (!(error instanceof FetchError)) throw error
  }
}

async function readList(ctx: Context, url: string): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const page of readPages(ctx, url, url)) {
    found.push(...asArray(page['orderedItems'] ?? page['items'], MAX_REMOTE_COLLECTIONS))
    if (found.length >= MAX_REMOTE_COLLECTIONS) break
  }
  return found.slice(0, MAX_REMOTE_COLLECTIONS)
}

/**
 * Answers the request of a remote account to have a local account in its collection: with an authorization and a notification if
 * the account wants to be there. `collectionId`: null to reject. May run twice.
 */
export const answerFeatureRequest = (
  ctx: Context,
  accountId: string,
  collectionId: string | null,
  request: InteractionRequest,
): Promise<void> =>
  ctx.transaction(async (tx) => {
    const ownerId = request.requesterId
    const item = collectionId === null ? null : await insertConsent(tx, { collectionId, ownerId, accountId })
    if (item?.isNew)
      await notify(tx, {
        type: 'added_to_collection',
        fromAccountId: ownerId,
        subjectId: collectionId!,
        to: [accountId],
      })
    await federate(tx, { activity: 'answer-request', interaction: 'feature', accountId, request, id: item?.id ?? null })
  })
