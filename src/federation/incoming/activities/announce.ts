import { visibilityOf } from '../../../ap/audience.ts'
import { parseOurUrl } from '../../../domain/server/addresses.ts'
import { publishReblog } from '../../../actions/statuses/reblog.ts'
import { isFollowedHere } from '../../../domain/statuses/audience.ts'
import { fetchStatus } from '../../../actions/remote/receive-status.ts'
import { isOpenVisibility, findVisibleStatuses } from '../../../domain/statuses/visibility.ts'
import { permitFor } from './permit.ts'
import { unlessUndone, type Handler } from './incoming.ts'
import { applyWrapped, wrappedIn } from './wrapped.ts'

/** A boost of a local status, or of any status by an account with local followers: that status is then fetched. */
export const receiveAnnounce: Handler = async (ctx, incoming) => {
  const { activity, actor } = incoming
  const wrapped = wrappedIn(activity)
  const uri = wrapped ? await applyWrapped(ctx, incoming, wrapped) : activity.objectId
  if (uri === null) return
  if (!parseOurUrl(ctx, uri) && !(await isFollowedHere(ctx, actor.id))) return
  const statusId = await fetchStatus(ctx, uri, { resolveMentions: true })
  if (statusId === null) return
  const [status] = await findVisibleStatuses(ctx, { accountId: actor.id }, [statusId])
  if (!status || status.reblog_of_id !== null || (wrapped && status.reply)) return
  const isOpen = isOpenVisibility(status.visibility)
  if (!isOpen && !(status.visibility === 'private' && status.account_id === actor.id)) return
  const permit = await permitFor(ctx, incoming, status, 'announce')
  if (!permit) return
  const visibility = visibilityOf(activity.to, activity.cc, actor.followers_url)
  await unlessUndone(ctx, incoming, (tx) =>
    publishReblog(tx, {
      accountId: actor.id,
      statusId,
      visibility: visibility === 'direct' ? 'private' : visibility,
      uri: activity.id,
      ...permit,
      ...(activity.published ? { createdAt: activity.published } : {}),
    }),
  )
}
