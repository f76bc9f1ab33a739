// POST /api/v1/statuses/:id/mute and /unmute: notifications of a conversation.
import { muteConversation, unmuteConversation } from '../../domain/conversations/mutes.ts'
import { getTargetStatus } from '../../domain/statuses/visibility.ts'
import { presentStatus } from '../../entities/status-presenter.ts'
import { Status } from '../../entities/status.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'

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
