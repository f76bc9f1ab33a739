// GET /api/v1/timelines/home: what the followed post and boost. 206 and nothing while the feed is being put together.
import Type from 'typebox'
import { homePage, tendHome } from '../../domain/timelines/home.ts'
import { Status } from '../../entities/status.ts'
import { presentSelected } from '../../entities/status-presenter.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { route } from '../../http/route.ts'
import { jsonArray } from '../../lib/json.ts'

export const homeTimeline = route({
  summary: 'Posts and boosts of the accounts that are followed',
  scope: 'read:statuses',
  params: pageParams,
  returns: Type.Array(Status),
  also: [206],
  async handle(call) {
    const page = pageOf(call.params, 20)
    const selection = homePage(call.viewer.accountId, page)
    const read = () => presentSelected(call.ctx, call.viewer, selection, { atHome: true })
    let { ids, statuses } = await read()
    const state = ids.length === 0 ? await tendHome(call.ctx, call.viewer.accountId) : 'ready'
    if (state === 'building') {
      void call.reply.status(206)
      return []
    }
    if (state === 'renewed') ({ ids, statuses } = await read())
    setLinks(call, { ids, page, nextAlways: true })
    return jsonArray(statuses)
  },
})
