// POST /api/v1/statuses/:id/favourite and /unfavourite
import { deleteStatuses } from '../../actions/statuses/delete.ts'
import { favourite, unfavourite } from '../../actions/statuses/favourite.ts'
import { pin, unpin } from '../../actions/statuses/pin.ts'
import { reblog } from '../../actions/statuses/reblog.ts'
import { findReblog } from '../../domain/statuses/reblogs.ts'
import type { Context } from '../../context.ts'
import type { Viewer } from '../../domain/auth/viewer.ts'
import { muteConversation, unmuteConversation } from '../../domain/conversations/conversations.ts'
import { bookmark, unbookmark } from '../../actions/statuses/bookmark.ts'
import { findOriginalId } from '../../domain/statuses/find.ts'
import { needsApproval } from '../../domain/statuses/interaction-policy.ts'
import { getTargetStatus, getVisibleStatus } from '../../domain/statuses/visibility.ts'
import { presentStatus } from '../../entities/status-presenter.ts'
import { Status } from '../../entities/status.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { NotFound } from '../../lib/errors.ts'
import type { JsonText } from '../../lib/json.ts'
import Type from 'typebox'

export const favouriteStatus = route({
  summary: 'Mark a status as a favourite',
  scope: 'write:favourites',
  params: { id: IdParam },
  returns: Status,
  async handle({ ctx, viewer, params }) {
    const status = await getTargetStatus(ctx, viewer, params.id)
    const waits = await needsApproval(ctx, status, viewer.accountId, 'like')
    await favourite(ctx, viewer.accountId, status.id, { approval: waits ? 'pending' : null })
    return presentStatus(ctx, viewer, status.id)
  },
})

export const unfavouriteStatus = route({
  summary: 'Take a favourite back',
  scope: 'write:favourites',
  params: { id: IdParam },
  returns: Status,
  handle: ({ ctx, viewer, params }) =>
    undoAndPresent(ctx, viewer, params.id, (statusId) => unfavourite(ctx, viewer.accountId, statusId)),
})

// POST /api/v1/statuses/:id/reblog and /unreblog: boosts.

export const reblogStatus = route({
  summary: 'Boost a status; boosting it again gives the same boost',
  scope: 'write:statuses',
  rate: 'statuses',
  params: {
    id: IdParam,
    visibility: Type.Optional(Type.Union([Type.Literal('public'), Type.Literal('unlisted'), Type.Literal('private')])),
  },
  returns: Status,
  async handle({ ctx, viewer, params }) {
    const status = await getTargetStatus(ctx, viewer, params.id)
    const visibility = params.visibility ?? viewer.settings.privacy ?? 'public'
    const waits = await needsApproval(ctx, status, viewer.accountId, 'announce')
    const boost = await reblog(ctx, {
      accountId: viewer.accountId,
      statusId: status.id,
      visibility,
      approval: waits ? 'pending' : null,
    })
    return presentStatus(ctx, viewer, boost.id)
  },
})

export const unreblogStatus = route({
  summary: 'Take a boost back',
  scope: 'write:statuses',
  rate: 'deletes',
  params: { id: IdParam },
  returns: Status,
  async handle({ ctx, viewer, params }) {
    const id = (await findOriginalId(ctx, params.id)) ?? params.id
    const boost = await findReblog(ctx, viewer.accountId, id)
    if (boost === null) await getTargetStatus(ctx, viewer, params.id)
    else await deleteStatuses(ctx, [boost], { by: viewer.accountId })
    // What one boosted is for everybody, or one's own: it is shown even to those who may not see it here any more.
    return presentStatus(ctx, viewer, id)
  },
})

// POST /api/v1/statuses/:id/bookmark and /unbookmark

export const bookmarkStatus = route({
  summary: 'Put a status aside',
  scope: 'write:bookmarks',
  params: { id: IdParam },
  returns: Status,
  async handle({ ctx, viewer, params }) {
    const status = await getTargetStatus(ctx, viewer, params.id)
    await bookmark(ctx, viewer.accountId, status.id)
    return presentStatus(ctx, viewer, status.id)
  },
})

export const unbookmarkStatus = route({
  summary: 'Take a bookmark away',
  scope: 'write:bookmarks',
  params: { id: IdParam },
  returns: Status,
  handle: ({ ctx, viewer, params }) =>
    undoAndPresent(ctx, viewer, params.id, (statusId) => unbookmark(ctx, viewer.accountId, statusId)),
})

// POST /api/v1/statuses/:id/mute and /unmute: notifications of a conversation.

export const muteStatus = route({
  summary: 'Hear no more of the conversation of a status',
  scope: 'write:mutes',
  params: { id: IdParam },
  returns: Status,
  async handle({ ctx, viewer, params }) {
    const status = await getTargetStatus(ctx, viewer, params.id)
    await muteConversation(ctx, viewer.accountId, status)
    return presentStatus(ctx, viewer, status.id)
  },
})

export const unmuteStatus = route({
  summary: 'Hear of the conversation of a status again',
  scope: 'write:mutes',
  params: { id: IdParam },
  returns: Status,
  async handle({ ctx, viewer, params }) {
    const status = await getTargetStatus(ctx, viewer, params.id)
    await unmuteConversation(ctx, viewer.accountId, status)
    return presentStatus(ctx, viewer, status.id)
  },
})

// POST /api/v1/statuses/:id/pin and /unpin: posts on top of one's profile.

export const pinStatus = route({
  summary: 'Show a status on top of your profile',
  scope: 'write:accounts',
  params: { id: IdParam },
  returns: Status,
  async handle({ ctx, viewer, params }) {
    const status = await getVisibleStatus(ctx, viewer, params.id)
    await pin(ctx, viewer.accountId, status)
    return presentStatus(ctx, viewer, status.id)
  },
})

export const unpinStatus = route({
  summary: 'Show a status no longer on top of your profile',
  scope: 'write:accounts',
  params: { id: IdParam },
  returns: Status,
  async handle({ ctx, viewer, params }) {
    const status = await getVisibleStatus(ctx, viewer, params.id)
    await unpin(ctx, viewer.accountId, status)
    return presentStatus(ctx, viewer, status.id)
  },
})

/**
 * Undoes the viewer's interaction with a status by `undo` and presents the status. Viewers may undo what they did although they
 * cannot see the status any more: the interaction is undone, and the response is 404.
 */
async function undoAndPresent(
  ctx: Context,
  viewer: Viewer,
  id: string,
  undo: (statusId: string) => Promise<unknown>,
): Promise<JsonText<Status>> {
  const statusId = await findOriginalId(ctx, id)
  if (statusId === null) throw new NotFound()
  await undo(statusId)
  await getVisibleStatus(ctx, viewer, statusId)
  return presentStatus(ctx, viewer, statusId)
}
