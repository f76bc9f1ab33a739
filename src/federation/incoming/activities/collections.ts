// Collections of accounts (FEP-7aa9). A collection or item that its owner sends is trusted: both are on the owner's host.
import {
  receiveCollection,
  receiveItem,
  refetchCollection,
  removeRemoteCollection,
  removeRemoteItem,
} from '../../../actions/collections/remote.ts'
import {
  type FeaturedCollection,
  isFeaturedCollection,
  parseFeaturedCollection,
  parseFeaturedItem,
} from '../../../ap/featured-collection.ts'
import { isSameHost } from '../../../ap/normalise.ts'
import type { Context } from '../../../context.ts'
import { findRemoteCollection } from '../../../domain/collections/remote.ts'
import { parseLocalUrl } from '../../../domain/server/addresses.ts'
import { isFollowedHere } from '../../../domain/statuses/audience.ts'
import { type Incoming, trustedObject } from './incoming.ts'

/** False when the activity adds nothing to a collection of accounts, nor to the actor's list of them. */
export async function addToCollections(ctx: Context, incoming: Incoming): Promise<boolean> {
  const { activity, actor, forwarded } = incoming
  const { objectId, target } = activity
  if (isFeaturedCollection(activity.objectTypes)) return receiveFeaturedCollection(ctx, incoming)
  if (forwarded || objectId === null || target === null) return false
  if (target === actor.featured_collections_url) {
    if (await isFollowedHere(ctx, actor.id)) await refetchCollection(ctx, actor, objectId)
    return true
  }
  const collection = await findRemoteCollection(ctx, target)
  if (!collection) return false
  if (collection.account_id !== actor.id) return true
  const item = parseFeaturedItem(trustedObject(incoming), target)
  if (item) await receiveItem(ctx, collection.id, item)
  else await refetchCollection(ctx, actor, target)
  return true
}

/** Stores a collection of accounts as it is now. False when the activity is about something else. */
export async function receiveFeaturedCollection(ctx: Context, incoming: Incoming): Promise<boolean> {
  const { activity, actor } = incoming
  const { objectId } = activity
  if (!isFeaturedCollection(activity.objectTypes)) return false
  const document = parseFeaturedCollection(trustedObject(incoming))
  const known = objectId === null ? null : await findRemoteCollection(ctx, objectId)
  const isOwners = document?.attributedTo === actor.uri && (known === null || known.account_id === actor.id)
  if (document && isOwners && (known || (await isRelevant(ctx, actor.id, document))))
    await receiveCollection(ctx, actor, document, { wasSent: true })
  return true
}

/** As for statuses: other servers could send any number of them. */
const isRelevant = async (ctx: Context, ownerId: string, { items }: FeaturedCollection): Promise<boolean> =>
  items.some(({ featuredObject }) => parseLocalUrl(ctx, featuredObject) !== null) || isFollowedHere(ctx, ownerId)

/** False when the activity removes nothing from a collection of accounts, nor from the actor's list of them. */
export async function removeFromCollections(ctx: Context, { activity, actor, forwarded }: Incoming): Promise<boolean> {
  const { objectId, target } = activity
  if (forwarded || objectId === null || target === null) return false
  // What is removed before it arrives is not stored later, so it must not be an object of another server.
  if (!isSameHost(objectId, actor.uri ?? '')) return false
  const known = await findRemoteCollection(ctx, objectId)
  if (known ? known.account_id === actor.id : target === actor.featured_collections_url) {
    await removeRemoteCollection(ctx, actor.id, objectId)
    return true
  }
  const collection = await findRemoteCollection(ctx, target)
  if (collection?.account_id !== actor.id) return false
  await removeRemoteItem(ctx, actor.id, collection.id, objectId)
  return true
}
