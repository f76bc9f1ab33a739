// GET /api/v1/timelines/tag/:hashtag: public posts with a hashtag.
import Type from 'typebox'
import { tagPage } from '../../domain/timelines/tag.ts'
import { Status } from '../../entities/status.ts'
import { presentSelected } from '../../entities/status-presenter.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { route } from '../../http/route.ts'
import { jsonArray } from '../../lib/json.ts'

const names = Type.Optional(Type.Array(Type.String()))

export const tagTimeline = route({
  summary: 'Public posts with a hashtag; with any, with all, with none of further ones',
  auth: 'public',
  scope: 'read:statuses',
  params: {
    hashtag: Type.String(),
    any: names,
    all: names,
    none: names,
    local: Type.Optional(Type.Boolean()),
    remote: Type.Optional(Type.Boolean()),
    only_media: Type.Optional(Type.Boolean()),
    ...pageParams,
  },
  cacheable: true,
  returns: Type.Array(Status),
  async handle(call) {
    const page = pageOf(call.params, 20)
    const selection = await tagPage(call.ctx, call.viewer, call.params.hashtag, page, call.params)
    if (!selection) return []
    const { ids, statuses } = await presentSelected(call.ctx, call.viewer, selection)
    setLinks(call, { ids, page, nextAlways: true })
    return jsonArray(statuses)
  },
})
