import { favourite } from '../../../actions/statuses/favourite.ts'
import { findStatusByUri } from '../../../domain/statuses/find-by-uri.ts'
import { findVisibleStatuses } from '../../../domain/statuses/visibility.ts'
import { permitFor } from './permit.ts'
import { unlessUndone, type Handler } from './incoming.ts'

/** Somebody favourites a post that is known here. What they may not read, or the author does not permit, does not count. */
export const receiveLike: Handler = async (ctx, incoming) => {
  const { activity, actor } = incoming
  const known = activity.objectId === null ? null : await findStatusByUri(ctx, activity.objectId)
  if (!known || known.reblog_of_id !== null) return
  const [status] = await findVisibleStatuses(ctx, { accountId: actor.id }, [known.id])
  if (!status) return
  const permit = await permitFor(ctx, incoming, status, 'like')
  if (permit)
    await unlessUndone(ctx, incoming, (tx) => favourite(tx, actor.id, status.id, { uri: activity.id, ...permit }))
}
