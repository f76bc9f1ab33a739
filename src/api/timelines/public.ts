// GET /api/v1/timelines/public: what everybody posts, here and elsewhere.
import Type from 'typebox'
import { publicPage } from '../../domain/timelines/public.ts'
import { Status } from '../../entities/status.ts'
import { presentSelected } from '../../entities/status-presenter.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { route } from '../../http/route.ts'
import { jsonArray } from '../../lib/json.ts'

export const publicTimeline = route({
  summary: 'Public posts of everybody, or of this server, or of others only',
  auth: 'public',
  scope: 'read:statuses',
  params: {
    local: Type.Optional(Type.Boolean()),
    remote: Type.Optional(Type.Boolean()),
    only_media: Type.Optional(Type.Boolean()),
    ...pageParams,
  },
  cacheable: true,
  returns: Type.Array(Status),
  async handle(call) {
    const page = pageOf(call.params, 20)
    const selection = await publicPage(call.ctx, call.viewer, page, call.params)
    const { ids, statuses } = await presentSelected(call.ctx, call.viewer, selection)
    setLinks(call, { ids, page, nextAlways: true })
    return jsonArray(statuses)
  },
})
