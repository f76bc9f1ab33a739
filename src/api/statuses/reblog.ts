// POST /api/v1/statuses/:id/reblog and /unreblog: boosts.
import { findOriginalId } from '../../domain/statuses/find.ts'
import Type from 'typebox'
import { deleteStatuses } from '../../actions/statuses/delete.ts'
import { findReblog, publishReblog } from '../../actions/statuses/reblog.ts'
import { needsApproval } from '../../domain/statuses/interaction-policy.ts'
import { getTargetStatus } from '../../domain/statuses/visibility.ts'
import { presentStatus } from '../../entities/status-presenter.ts'
import { Status } from '../../entities/status.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'

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
    const boost = await publishReblog(ctx, {
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
