// GET /api/v1/bookmarks
import Type from 'typebox'
import { findBookmarks } from '../domain/statuses/interacted-by.ts'
import { presentStatusList } from '../entities/status-presenter.ts'
import { Status } from '../entities/status.ts'
import { pageOf, pageParams, setLinks } from '../http/paginate.ts'
import { route } from '../http/route.ts'

const USUAL = 20

export const listBookmarks = route({
  summary: 'Statuses you have bookmarked, the latest bookmark first',
  scope: 'read:bookmarks',
  params: pageParams,
  returns: Type.Array(Status),
  async handle(call) {
    const { ctx, viewer } = call
    const page = pageOf(call.params, USUAL)
    const entries = await findBookmarks(ctx, viewer.accountId, page)
    setLinks(call, { ids: entries.map(({ cursor }) => cursor), page })
    return presentStatusList(
      ctx,
      viewer,
      entries.map(({ id }) => id),
    )
  },
})
