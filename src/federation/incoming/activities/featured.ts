import { tagsOf } from '../../../ap/tags.ts'
import { fetchStatus } from '../../../actions/remote/receive-status.ts'
import { feature, unfeature } from '../../../domain/statuses/featured.ts'
import { findStatusByUri } from '../../../domain/statuses/find-by-uri.ts'
import { isFollowedHere } from '../../../domain/statuses/relevance.ts'
import { addFeaturedTag, removeFeaturedTag } from '../../../domain/tags/featured.ts'
import type { Handler, Incoming } from './incoming.ts'

/** Somebody pins a post of theirs, or shows a hashtag on the profile. */
export const receiveAdd: Handler = async (ctx, incoming) => {
  const { activity, actor } = incoming
  const hashtag = hashtagOf(incoming)
  if (hashtag !== null) return addFeaturedTag(ctx, actor.id, hashtag)
  if (activity.objectId === null || activity.target === null || activity.target !== actor.featured_url) return
  const known = (await findStatusByUri(ctx, activity.objectId))?.id
  const id = known ?? ((await isFollowedHere(ctx, actor.id)) ? await fetchStatus(ctx, activity.objectId) : null)
  if (id) await feature(ctx, actor.id, [id])
}

/** Somebody unpins a post, or shows a hashtag no longer. */
export const receiveRemove: Handler = async (ctx, incoming) => {
  const { activity, actor } = incoming
  const hashtag = hashtagOf(incoming)
  if (hashtag !== null) return removeFeaturedTag(ctx, actor.id, hashtag)
  if (activity.objectId === null || activity.target === null || activity.target !== actor.featured_url) return
  const known = await findStatusByUri(ctx, activity.objectId)
  if (known) await unfeature(ctx, actor.id, known.id)
}

/** The hashtag that the sender's profile is told to show, or not; null where it is about something else. */
function hashtagOf({ activity, actor, forwarded }: Incoming): string | null {
  const named = [actor.featured_url, actor.featured_tags_url].filter((url) => url !== null)
  if (forwarded || activity.target === null || !named.includes(activity.target)) return null
  return tagsOf(activity.object).find(({ type }) => type === 'Hashtag')?.name ?? null
}
