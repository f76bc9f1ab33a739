// GET /api/v1/statuses/:id/favourited_by and /reblogged_by: who liked and who boosted a status.
import Type from 'typebox'
import { findFavouritedBy, findRebloggedBy } from '../../domain/statuses/interacted-by.ts'
import { getTargetStatus } from '../../domain/statuses/visibility.ts'
import { presentAccountList } from '../../entities/account-presenter.ts'
import { Account } from '../../entities/account.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam } from '../../http/params.ts'
import { route, type EndpointOptions } from '../../http/route.ts'

const USUAL = 40
const params = { id: IdParam, ...pageParams }
const returns = Type.Array(Account)

type Handler = EndpointOptions<'public', typeof params, typeof returns>['handle']

const listing =
  (find: typeof findFavouritedBy): Handler =>
  async (call) => {
    const { ctx, viewer } = call
    const status = await getTargetStatus(ctx, viewer, call.params.id)
    const page = pageOf(call.params, USUAL)
    const entries = await find(ctx, viewer, status.id, page)
    setLinks(call, { ids: entries.map(({ cursor }) => cursor), page, prev: 'since_id' })
    return presentAccountList(
      ctx,
      entries.map(({ id }) => id),
    )
  }

export const favouritedBy = route({
  summary: 'Accounts that favourited a status',
  auth: 'public',
  scope: 'read:statuses',
  params,
  returns,
  handle: listing(findFavouritedBy),
})

export const rebloggedBy = route({
  summary: 'Accounts that boosted a status',
  auth: 'public',
  scope: 'read:statuses',
  params,
  returns,
  handle: listing(findRebloggedBy),
})
