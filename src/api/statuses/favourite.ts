// POST /api/v1/statuses/:id/favourite and /unfavourite
import { favourite, unfavourite } from '../../actions/statuses/favourite.ts'
import { needsApproval } from '../../domain/statuses/interaction-policy.ts'
import { getTargetStatus } from '../../domain/statuses/visibility.ts'
import { presentStatus } from '../../entities/status-presenter.ts'
import { Status } from '../../entities/status.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { undoAndPresent } from './undo.ts'

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
