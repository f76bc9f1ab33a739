import { favourite } from '../../../actions/statuses/favourite.ts'
import { findStatusByUri } from '../../../domain/statuses/find.ts'
import { findVisibleStatuses } from '../../../domain/statuses/visibility.ts'
import { permitFor } from './permit.ts'
import { unlessUndone, type Handler } from './incoming.ts'

/** A remote account favourites a known status. It counts if the account may read the status and the author permits it. */
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
