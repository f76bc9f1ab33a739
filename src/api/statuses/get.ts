// GET /api/v1/statuses/:id and GET /api/v1/statuses?id[]=: read posts.
import Type from 'typebox'
import { findVisibleStatuses, visibleIds } from '../../domain/statuses/visibility.ts'
import { presentSelected, presentStatusList } from '../../entities/status-presenter.ts'
import { Status } from '../../entities/status.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { NotFound, invalidRequest } from '../../lib/errors.ts'

const MAX_IDS = 20

export const getStatus = route({
  summary: 'One status',
  auth: 'public',
  scope: 'read:statuses',
  cacheable: true,
  params: { id: IdParam },
  returns: Status,
  async handle({ ctx, viewer, params }) {
    const { statuses } = await presentSelected(ctx, viewer, visibleIds(viewer, [params.id]))
    if (!statuses[0]) throw new NotFound()
    return statuses[0]
  },
})

export const getStatuses = route({
  summary: 'Several statuses by their ids, in that order; unknown and hidden ones are left out',
  auth: 'public',
  scope: 'read:statuses',
  params: { id: Type.Optional(Type.Array(IdParam)) },
  returns: Type.Array(Status),
  async handle({ ctx, viewer, params }) {
    const ids = [...new Set(params.id ?? [])]
    if (ids.length > MAX_IDS) throw invalidRequest('statuses_too_many', { count: MAX_IDS })
    const visible = new Set((await findVisibleStatuses(ctx, viewer, ids)).map(({ id }) => id))
    return presentStatusList(
      ctx,
      viewer,
      ids.filter((id) => visible.has(id)),
    )
  },
})
