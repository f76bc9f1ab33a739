import { findBookmarks, findFavouritedBy, findFavourites, findRebloggedBy } from '../../domain/statuses/interactions.ts'
import { getTargetStatus } from '../../domain/statuses/visibility.ts'
import { presentAccountList } from '../../entities/account-presenter.ts'
import { Account } from '../../entities/account.ts'
import { presentStatusList } from '../../entities/status-presenter.ts'
import { Status } from '../../entities/status.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam } from '../../http/params.ts'
import { type EndpointOptions, route } from '../../http/route.ts'
import Type from 'typebox'

const params = { id: IdParam, ...pageParams }
const accounts = Type.Array(Account)
const statuses = Type.Array(Status)

/** The first is documented; Mastodon checks the second. */
const LISTING_SCOPES = ['read:statuses', 'read:accounts'] as const

type AccountsHandler = EndpointOptions<'public', typeof params, typeof accounts>['handle']
type StatusesHandler = EndpointOptions<'user', typeof pageParams, typeof statuses>['handle']

const listAccounts =
  (find: typeof findFavouritedBy): AccountsHandler =>
  async (call) => {
    const { ctx, viewer } = call
    const status = await getTargetStatus(ctx, viewer, call.params.id)
    const page = pageOf(call.params, 40)
    const entries = await find(ctx, viewer, status.id, page)
    setLinks(call, { ids: entries.map(({ cursor }) => cursor), page, prev: 'since_id' })
    return presentAccountList(
      ctx,
      entries.map(({ id }) => id),
    )
  }

const listOwn =
  (find: typeof findFavourites): StatusesHandler =>
  async (call) => {
    const { ctx, viewer } = call
    const page = pageOf(call.params, 20)
    const entries = await find(ctx, viewer.accountId, page)
    setLinks(call, { ids: entries.map(({ cursor }) => cursor), page })
    return presentStatusList(
      ctx,
      viewer,
      entries.map(({ id }) => id),
    )
  }

export const getFavouritedBy = route({
  summary: 'Accounts that favourited a status',
  auth: 'public',
  scope: LISTING_SCOPES,
  params,
  returns: accounts,
  handle: listAccounts(findFavouritedBy),
})

export const getRebloggedBy = route({
  summary: 'Accounts that boosted a status',
  auth: 'public',
  scope: LISTING_SCOPES,
  params,
  returns: accounts,
  handle: listAccounts(findRebloggedBy),
})

export const getFavourites = route({
  summary: 'Favourite statuses, the latest favourite first',
  scope: 'read:favourites',
  params: pageParams,
  returns: statuses,
  handle: listOwn(findFavourites),
})

export const getBookmarks = route({
  summary: 'Bookmarked statuses, the latest bookmark first',
  scope: 'read:bookmarks',
  params: pageParams,
  returns: statuses,
  handle: listOwn(findBookmarks),
})
