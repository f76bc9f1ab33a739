// POST /api/v1/statuses/:id/pin and /unpin: posts on top of one's profile.
import { pin, unpin } from '../../actions/statuses/pin.ts'
import { getVisibleStatus } from '../../domain/statuses/visibility.ts'
import { presentStatus } from '../../entities/status-presenter.ts'
import { Status } from '../../entities/status.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'

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
