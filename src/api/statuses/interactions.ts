import { deleteStatuses } from '../../actions/statuses/delete.ts'
import { bookmark, favourite, pin, unbookmark, unfavourite, unpin } from '../../actions/statuses/interactions.ts'
import { reblog } from '../../actions/statuses/reblog.ts'
import { findReblog } from '../../domain/statuses/reblogs.ts'
import type { Context } from '../../context.ts'
import type { Viewer } from '../../domain/auth/viewer.ts'
import { muteConversation, unmuteConversation } from '../../domain/conversations/conversations.ts'
import { findOriginalId, type StatusRow } from '../../domain/statuses/find.ts'
import type { InteractionKind } from '../../domain/statuses/draft.ts'
import { needsApproval } from '../../domain/statuses/interaction-policy.ts'
import { findOpenTarget } from '../../domain/statuses/reader.ts'
import { findVisibleStatuses, getTargetStatus, getVisibleStatus } from '../../domain/statuses/visibility.ts'
import { presentStatus } from '../../entities/status-presenter.ts'
import { Status } from '../../entities/status.ts'
import { IdParam } from '../../http/params.ts'
import { type Call, route } from '../../http/route.ts'
import { NotFound } from '../../lib/errors.ts'
import type { JsonText } from '../../lib/json.ts'
import Type from 'typebox'

export const favouriteStatus = route({
  summary: 'Favourite a status',
  scope: 'write:favourites',
  params: { id: IdParam },
  returns: Status,
  async handle({ ctx, viewer, params }) {
    const { id, waits } = await readTarget(ctx, viewer, params.id, 'like')
    await favourite(ctx, viewer.accountId, id, { approval: waits ? 'pending' : null })
    return presentStatus(ctx, viewer, id)
  },
})

export const unfavouriteStatus = route({
  summary: 'Remove a favourite',
  scope: 'write:favourites',
  params: { id: IdParam },
  returns: Status,
  handle: ({ ctx, viewer, params }) =>
    undoAndPresent(ctx, viewer, params.id, (statusId) => unfavourite(ctx, viewer.accountId, statusId)),
})

export const reblogStatus = route({
  summary: 'Boost a status; boosting it again returns the same boost',
  scope: 'write:statuses',
  rate: 'statuses',
  params: {
    id: IdParam,
    visibility: Type.Optional(Type.Union([Type.Literal('public'), Type.Literal('unlisted'), Type.Literal('private')])),
  },
  returns: Status,
  async handle({ ctx, viewer, params }) {
    const { id: statusId, waits } = await readTarget(ctx, viewer, params.id, 'announce')
    const visibility = params.visibility ?? viewer.settings.privacy ?? 'public'
    const boost = await reblog(ctx, {
      accountId: viewer.accountId,
      statusId,
      visibility,
      approval: waits ? 'pending' : null,
    })
    return presentStatus(ctx, viewer, boost.id)
  },
})

export const unreblogStatus = route({
  summary: 'Undo a boost',
  scope: 'write:statuses',
  rate: 'deletes',
  params: { id: IdParam },
  returns: Status,
  async handle({ ctx, viewer, params }) {
    const id = (await findOriginalId(ctx, params.id)) ?? params.id
    const reblogId = await findReblog(ctx, viewer.accountId, id)
    if (reblogId === null) await getTargetStatus(ctx, viewer, params.id)
    else await deleteStatuses(ctx, [reblogId], { authorId: viewer.accountId })
    // Only public and unlisted statuses and the viewer's own can be boosted, so the status may be shown even if it is hidden.
    return presentStatus(ctx, viewer, id)
  },
})

export const bookmarkStatus = route({
  summary: 'Bookmark a status',
  scope: 'write:bookmarks',
  params: { id: IdParam },
  returns: Status,
  async handle({ ctx, viewer, params }) {
    const id = (await findOpenTarget(ctx, viewer, params.id)) ?? (await getTargetStatus(ctx, viewer, params.id)).id
    await bookmark(ctx, viewer.accountId, id)
    return presentStatus(ctx, viewer, id)
  },
})

export const unbookmarkStatus = route({
  summary: 'Remove a bookmark',
  scope: 'write:bookmarks',
  params: { id: IdParam },
  returns: Status,
  handle: ({ ctx, viewer, params }) =>
    undoAndPresent(ctx, viewer, params.id, (statusId) => unbookmark(ctx, viewer.accountId, statusId)),
})

/** Handles an act on a status that `get` finds for the viewer, and returns the status afterwards. */
const changeStatus =
  (get: typeof getVisibleStatus, act: (ctx: Context, accountId: string, status: StatusRow) => Promise<unknown>) =>
  async ({ ctx, viewer, params }: Call<{ id: string }, Viewer>): Promise<JsonText<Status>> => {
    const status = await get(ctx, viewer, params.id)
    await act(ctx, viewer.accountId, status)
    return presentStatus(ctx, viewer, status.id)
  }

export const muteStatus = route({
  summary: 'Mute the notifications of the conversation of a status',
  scope: 'write:mutes',
  params: { id: IdParam },
  returns: Status,
  handle: changeStatus(getTargetStatus, muteConversation),
})

export const unmuteStatus = route({
  summary: 'Unmute the conversation of a status',
  scope: 'write:mutes',
  params: { id: IdParam },
  returns: Status,
  handle: changeStatus(getTargetStatus, unmuteConversation),
})

export const pinStatus = route({
  summary: 'Pin a status to your profile',
  scope: 'write:accounts',
  rate: 'featured',
  params: { id: IdParam },
  returns: Status,
  handle: changeStatus(getVisibleStatus, pin),
})

export const unpinStatus = route({
  summary: 'Unpin a status from your profile',
  scope: 'write:accounts',
  rate: 'featured',
  params: { id: IdParam },
  returns: Status,
  handle: changeStatus(getVisibleStatus, unpin),
})

/** The status to act on, and whether its author's server has to approve that. */
async function readTarget(
  ctx: Context,
  viewer: Viewer,
  id: string,
  kind: InteractionKind,
): Promise<{ id: string; waits: boolean }> {
  const open = await findOpenTarget(ctx, viewer, id)
  if (open !== null) return { id: open, waits: false }
  const status = await getTargetStatus(ctx, viewer, id)
  return { id: status.id, waits: await needsApproval(ctx, status, viewer.accountId, kind) }
}

/**
 * Undoes the interaction even when the viewer cannot see the status any more. The response is then 404, unless everyone can read
 * the status: a block by its author keeps nothing secret.
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
  const [visible] = await findVisibleStatuses(ctx, viewer, [statusId])
  if (!visible) await getVisibleStatus(ctx, null, statusId)
  return presentStatus(ctx, viewer, statusId)
}
