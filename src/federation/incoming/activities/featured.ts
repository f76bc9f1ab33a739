// Add and Remove: pinned posts, featured hashtags, collections of accounts, and activities that the owner of a thread passes on.
import { fetchStatus } from '../../../actions/remote/receive-status.ts'
import { isSameHost } from '../../../ap/normalise.ts'
import { tagsOf } from '../../../ap/tags.ts'
import type { Context } from '../../../context.ts'
import type { AccountRow } from '../../../domain/accounts/find.ts'
import { insertRemotePins, deletePin } from '../../../domain/statuses/interactions.ts'
import { findStatusByUri } from '../../../domain/statuses/find.ts'
import { findLocalFollower } from '../../../domain/statuses/local-readers.ts'
import { addFeaturedTag, removeFeaturedTag } from '../../../domain/tags/featured.ts'
import { addToCollections, removeFromCollections } from './collections.ts'
import { type Handler, type Incoming, forEachObject } from './incoming.ts'
import { applyWrapped, wrappedIn } from './interactions.ts'

export const receiveAdd: Handler = forEachObject(async (ctx, incoming) => {
  const { activity, actor } = incoming
  const hashtag = hashtagOf(incoming)
  if (hashtag !== null) return addFeaturedTag(ctx, actor.id, hashtag)
  if (await addToCollections(ctx, incoming)) return
  const wrapped = wrappedIn(activity)
  if (wrapped) return void (await applyWrapped(ctx, incoming, wrapped))
  if (activity.objectId === null || activity.target === null || activity.target !== actor.featured_url) return
  const known = (await findStatusByUri(ctx, activity.objectId))?.id
  const id = known ?? (await fetchPinned(ctx, actor, activity.objectId))
  if (id) await insertRemotePins(ctx, actor.id, [id])
})

/** As a local follower, as the post may be for followers. Ignores accounts without a local follower. */
async function fetchPinned(ctx: Context, author: AccountRow, uri: string): Promise<string | null> {
  const readerId = author.uri !== null && isSameHost(uri, author.uri) ? await findLocalFollower(ctx, author.id) : null
  return readerId === null ? null : fetchStatus(ctx, uri, { authorUri: author.uri ?? '', readerId })
}

export const receiveRemove: Handler = forEachObject(async (ctx, incoming) => {
  const { activity, actor } = incoming
  const hashtag = hashtagOf(incoming)
  if (hashtag !== null) return removeFeaturedTag(ctx, actor.id, hashtag)
  if (await removeFromCollections(ctx, incoming)) return
  if (activity.objectId === null || activity.target === null || activity.target !== actor.featured_url) return
  const known = await findStatusByUri(ctx, activity.objectId)
  if (known) await deletePin(ctx, actor.id, known.id)
})

function hashtagOf({ activity, actor, forwarded }: Incoming): string | null {
  const named = [actor.featured_url, actor.featured_tags_url].filter((url) => url !== null)
  if (forwarded || activity.target === null || !named.includes(activity.target)) return null
  return tagsOf(activity.object).find(({ type }) => type === 'Hashtag')?.name ?? null
}
