// GET /api/v1/timelines/link: public posts that link to something.
import Type from 'typebox'
import { readLink } from '../../domain/timelines/link.ts'
import { Status } from '../../entities/status.ts'
import { presentStatusList } from '../../entities/status-presenter.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { route } from '../../http/route.ts'

export const linkTimeline = route({
  summary: 'Public posts that link to an address, by people who want to be discovered',
  auth: 'public',
  scope: 'read:statuses',
  params: { url: Type.String(), ...pageParams },
  cacheable: true,
  returns: Type.Array(Status),
  async handle(call) {
    const page = pageOf(call.params, 20)
    const ids = await readLink(call.ctx, call.viewer, call.params.url, page)
    setLinks(call, { ids, page, nextAlways: true })
    return presentStatusList(call.ctx, call.viewer, ids)
  },
})
