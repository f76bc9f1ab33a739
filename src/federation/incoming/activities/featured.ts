import { tagsOf } from '../../../ap/tags.ts'
import { fetchStatus } from '../../../actions/remote/receive-status.ts'
import { feature, unfeature } from '../../../domain/statuses/pins.ts'
import { findStatusByUri } from '../../../domain/statuses/find.ts'
import { isFollowedHere } from '../../../domain/statuses/audience.ts'
import { addFeaturedTag, removeFeaturedTag } from '../../../domain/tags/featured.ts'
import type { Handler, Incoming } from './incoming.ts'

/** A remote account pins a status or features a hashtag. */
export const receiveAdd: Handler = async (ctx, incoming) => {
  const { activity, actor } = incoming
  const hashtag = hashtagOf(incoming)
  if (hashtag !== null) return addFeaturedTag(ctx, actor.id, hashtag)
  if (activity.objectId === null || activity.target === null || activity.target !== actor.featured_url) return
  const known = (await findStatusByUri(ctx, activity.objectId))?.id
  const id = known ?? ((await isFollowedHere(ctx, actor.id)) ? await fetchStatus(ctx, activity.objectId) : null)
  if (id) await feature(ctx, actor.id, [id])
}

/** A remote account unpins a status or stops featuring a hashtag. */
export const receiveRemove: Handler = async (ctx, incoming) => {
  const { activity, actor } = incoming
  const hashtag = hashtagOf(incoming)
  if (hashtag !== null) return removeFeaturedTag(ctx, actor.id, hashtag)
  if (activity.objectId === null || activity.target === null || activity.target !== actor.featured_url) return
  const known = await findStatusByUri(ctx, activity.objectId)
  if (known) await unfeature(ctx, actor.id, known.id)
}

/** The featured hashtag that the activity adds or removes; null when its object is no hashtag. */
function hashtagOf({ activity, actor, forwarded }: Incoming): string | null {
  const named = [actor.featured_url, actor.featured_tags_url].filter((url) => url !== null)
  if (forwarded || activity.target === null || !named.includes(activity.target)) return null
  return tagsOf(activity.object).find(({ type }) => type === 'Hashtag')?.name ?? null
}
