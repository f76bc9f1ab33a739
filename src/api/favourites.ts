// GET /api/v1/favourites
import Type from 'typebox'
import { findFavourites } from '../domain/statuses/interacted-by.ts'
import { presentStatusList } from '../entities/status-presenter.ts'
import { Status } from '../entities/status.ts'
import { pageOf, pageParams, setLinks } from '../http/paginate.ts'
import { route } from '../http/route.ts'

const USUAL = 20

export const listFavourites = route({
  summary: 'Statuses you have marked as favourites, the latest first',
  scope: 'read:favourites',
  params: pageParams,
  returns: Type.Array(Status),
  async handle(call) {
    const { ctx, viewer } = call
    const page = pageOf(call.params, USUAL)
    const entries = await findFavourites(ctx, viewer.accountId, page)
    setLinks(call, { ids: entries.map(({ cursor }) => cursor), page })
    return presentStatusList(
      ctx,
      viewer,
      entries.map(({ id }) => id),
    )
  },
})
