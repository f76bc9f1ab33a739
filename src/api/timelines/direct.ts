// GET /api/v1/timelines/direct: direct posts, one by one, as clients read them before there were conversations.
import Type from 'typebox'
import { readDirect } from '../../domain/timelines/direct.ts'
import { Status } from '../../entities/status.ts'
import { presentStatusList } from '../../entities/status-presenter.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { route } from '../../http/route.ts'

export const directTimeline = route({
  summary: 'Direct posts, written and received',
  scope: 'read:statuses',
  params: pageParams,
  returns: Type.Array(Status),
  async handle(call) {
    const page = pageOf(call.params, 20)
    const ids = await readDirect(call.ctx, call.viewer.accountId, page)
    setLinks(call, { ids, page, nextAlways: true })
    return presentStatusList(call.ctx, call.viewer, ids)
  },
})
