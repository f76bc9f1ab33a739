import { parseActivity, type Activity } from '../../../ap/activity.ts'
import { parseObject } from '../../../ap/note.ts'
import type { Context } from '../../../context.ts'
import { fetchStatus } from '../../../actions/remote/receive-status.ts'
import { isFollowedHere } from '../../../domain/statuses/audience.ts'
import { findStatusByUri } from '../../../domain/statuses/find.ts'
import { removeIfGone } from './delete.ts'
import type { Incoming } from './incoming.ts'
import { rereadIfKnown } from './update.ts'

/** The activity that a group announces (FEP-1b12: Lemmy, PieFed, Mbin); null when the object is not an activity. */
export function wrappedIn({ object }: Activity): Activity | null {
  if (object === null || typeof object === 'string' || parseObject(object) !== null) return null
  const activity = parseActivity(object)
  return activity?.objectId ? activity : null
}

/**
 * Applies an activity that a group announced. Its author did not sign it, so objects are fetched from their origin. Returns the
 * URI of a new thread, which the group boosts. Replies in known threads are fetched, likes are ignored.
 */
export async function applyWrapped(ctx: Context, { actor }: Incoming, inner: Activity): Promise<string | null> {
  const uri = inner.objectId
  if (uri === null) return null
  if (inner.type === 'Update') await rereadIfKnown(ctx, uri)
  if (inner.type === 'Delete') await removeIfGone(ctx, uri)
  if (inner.type !== 'Create') return null
  const parent = parseObject(inner.object)?.inReplyTo ?? null
  if (parent === null) return uri
  if ((await findStatusByUri(ctx, parent)) !== null && (await isFollowedHere(ctx, actor.id)))
    await fetchStatus(ctx, uri, { loud: true })
  return null
}
