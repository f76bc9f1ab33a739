// GET /api/v1/timelines/list/:list_id: what the people in a list post.
import Type from 'typebox'
import { getOwnList } from '../../domain/lists/lists.ts'
import { readList } from '../../domain/timelines/list.ts'
import { Status } from '../../entities/status.ts'
import { presentStatusList } from '../../entities/status-presenter.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'

export const listTimeline = route({
  summary: 'Posts and boosts of the people in a list',
  scope: 'read:lists',
  params: { list_id: IdParam, ...pageParams },
  returns: Type.Array(Status),
  async handle(call) {
    const { ctx, viewer, params } = call
    const list = await getOwnList(ctx, viewer.accountId, params.list_id)
    const page = pageOf(params, 20)
    const ids = await readList(ctx, list, page)
    setLinks(call, { ids, page, nextAlways: true })
    return presentStatusList(ctx, viewer, ids, { atHome: true })
  },
})
