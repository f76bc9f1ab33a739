import { parseActivity, type Activity } from '../../../ap/activity.ts'
import { parseObject } from '../../../ap/note.ts'
import type { Context } from '../../../context.ts'
import { fetchStatus } from '../../../actions/remote/receive-status.ts'
import { isFollowedHere } from '../../../domain/statuses/relevance.ts'
import { findStatusByUri } from '../../../domain/statuses/find-by-uri.ts'
import { removeIfGone } from './delete.ts'
import type { Incoming } from './incoming.ts'
import { rereadIfKnown } from './update.ts'

/** The activity that a group passes on whole (FEP-1b12: Lemmy, PieFed, Mbin); null where it boosts something. */
export function wrappedIn({ object }: Activity): Activity | null {
  if (object === null || typeof object === 'string' || parseObject(object) !== null) return null
  const activity = parseActivity(object)
  return activity?.objectId ? activity : null
}

/**
 * Does what somebody did in a group, as far as the origin of the thing says so too; nothing here was signed by who did it. Gives
 * the address of what the group boosts by it: a new thread. What else is said in known threads is fetched, likes are left out.
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
