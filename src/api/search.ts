// GET /api/v1/search, GET /api/v2/search: by words, or by the URL or handle of one thing.
import Type, { type Static } from 'typebox'
import type { FastifyReply } from 'fastify'
import { requestAccountSearch } from '../actions/fasp/discover.ts'
import { searchAndResolveAccounts } from '../actions/remote/resolve-account.ts'
import { resolveUrl } from '../actions/remote/resolve-url.ts'
import type { Context } from '../context.ts'
import type { OffsetPage } from '../db/page.ts'
import { findShownIds } from '../domain/accounts/find.ts'
import type { Viewer } from '../domain/auth/viewer.ts'
import { searchStatuses } from '../domain/search/statuses.ts'
import { findCollectionByUrl, searchCollections, searchTags } from '../domain/search/tags-and-collections.ts'
import { findVisibleStatuses, type MaybeViewer } from '../domain/statuses/visibility.ts'
import { presentAccountList } from '../entities/account-presenter.ts'
import { Account } from '../entities/account.ts'
import { Collection, presentCollections } from '../entities/collection.ts'
import { presentStatusList } from '../entities/status-presenter.ts'
import { Status } from '../entities/status.ts'
import { presentTags, Tag } from '../entities/tag.ts'
import { limitOf, offsetParams, pageParams } from '../http/paginate.ts'
import { isWithinLimit } from '../http/ratelimit.ts'
import { route } from '../http/route.ts'
import { BadRequest, Unauthorized } from '../lib/errors.ts'
import { isId } from '../lib/ids.ts'
import { objectPieces } from '../lib/json.ts'
import { announceRefresh } from './async-refreshes.ts'
import { message } from '../messages/message.ts'

const params = Type.Object({
  q: Type.String(),
  type: Type.Optional(Type.String()),
  resolve: Type.Optional(Type.Boolean()),
  following: Type.Optional(Type.Boolean()),
  account_id: Type.Optional(Type.String()),
  exclude_unreviewed: Type.Optional(Type.Boolean()),
  max_id: pageParams.max_id,
  min_id: pageParams.min_id,
  ...offsetParams,
})
type Params = Static<typeof params>

const REMOVED_FROM_MASTODON = Date.UTC(2019, 9, 3) / 1000

type Found = { accounts: string[]; statuses: string[]; hashtags: string[]; collections: string[] }

/** https://docs.joinmastodon.org/entities/Search/ */
const Search = Type.Object(
  {
    accounts: Type.Array(Account),
    statuses: Type.Array(Status),
    hashtags: Type.Array(Tag),
    collections: Type.Array(Collection),
  },
  { $id: 'Search' },
)

const V1Search = Type.Object(
  { accounts: Type.Array(Account), statuses: Type.Array(Status), hashtags: Type.Array(Type.String()) },
  { $id: 'V1_Search' },
)

export const searchV2 = route({
  summary: 'Search accounts, hashtags, collections and statuses, or look up a URL',
  auth: 'public',
  scope: 'read:search',
  params: params.properties,
  returns: Search,
  async handle({ ctx, viewer, params, reply }) {
    if (!viewer && params.offset !== undefined) throw new Unauthorized(message('search_paging'))
    if (!viewer && params.resolve) throw new Unauthorized(message('search_resolving'))
    const found = await find(ctx, viewer, params)
    if (viewer) await searchElsewhere({ ctx, viewer, reply }, params)
    const [accounts, statuses, hashtags, collections] = await Promise.all([
      presentAccountList(ctx, found.accounts),
      presentStatusList(ctx, viewer, found.statuses),
      presentTags(ctx, viewer, found.hashtags),
      presentCollections(ctx, viewer, found.collections),
    ])
    return objectPieces<Static<typeof Search>>({ accounts, statuses, hashtags, collections })
  },
})

/** The header says that more accounts may be found soon, by auxiliary services. */
async function searchElsewhere(
  call: { ctx: Context; viewer: Viewer; reply: FastifyReply },
  { q, type, following, offset = 0 }: Params,
): Promise<void> {
  const term = q.trim()
  const isForAccounts = (!type || type === 'accounts') && !following && offset === 0
  // Providers search by words, and need not learn handles and mail addresses.
  if (!isForAccounts || /^#|:\/\/|.@/.test(term)) return
  const { ctx, viewer } = call
  const more = await requestAccountSearch(ctx, term, () => isWithinLimit(ctx, 'fasp-questions', viewer.userId))
  if (more) await announceRefresh(call, more)
}

export const searchV1 = route({
  summary: 'As version 2, for users only, and with hashtags by name',
  scope: 'read:search',
  deprecated: REMOVED_FROM_MASTODON,
  params: params.properties,
  returns: V1Search,
  async handle({ ctx, viewer, params }) {
    const found = await find(ctx, viewer, params)
    return objectPieces<Static<typeof V1Search>>({
      accounts: await presentAccountList(ctx, found.accounts),
      statuses: await presentStatusList(ctx, viewer, found.statuses),
      hashtags: (await presentTags(ctx, viewer, found.hashtags)).map(({ name }) => name),
    })
  },
})

async function find(ctx: Context, viewer: Viewer | null, params: Params): Promise<Found> {
  if ((params.limit ?? 0) < 0 || (params.offset ?? 0) < 0) throw new BadRequest(message('search_range'))
  const isAddress = /^https?:\/\//i.test(params.q.trim())
  const found = await (isAddress ? byAddress(ctx, viewer, params) : byWords(ctx, viewer, params))
  const only = (type: keyof Found): string[] => (!params.type || params.type === type ? found[type] : [])
  return {
    accounts: only('accounts'),
    statuses: only('statuses'),
    hashtags: only('hashtags'),
    collections: only('collections'),
  }
}

async function byAddress(
  ctx: Context,
  viewer: MaybeViewer,
  { q, resolve = false, offset = 0, type, account_id: author }: Params,
): Promise<Found> {
  const nothing: Found = { accounts: [], statuses: [], hashtags: [], collections: [] }
  const collection = await findCollectionByUrl(ctx, q.trim())
  if (collection !== null) return { ...nothing, collections: [collection] }
  const resolved =
    type && offset > 0 ? null : await resolveUrl(ctx, q.trim(), { fetch: resolve, viewerId: viewer?.accountId ?? null })
  if (!resolved) return nothing
  if ('accountId' in resolved)
    return { ...nothing, accounts: await findShownIds(ctx, [resolved.accountId], { suspended: false }) }
  if ('collectionId' in resolved) return { ...nothing, collections: [resolved.collectionId] }
  // Only signed-in users find statuses, even public ones.
  const statuses = viewer ? await findVisibleStatuses(ctx, viewer, [resolved.statusId]) : []
  return {
    ...nothing,
    statuses: statuses.filter((status) => !author || status.account_id === author).map(({ id }) => id),
  }
}

async function byWords(ctx: Context, viewer: Viewer | null, params: Params): Promise<Found> {
  const q = params.q.trim()
  const page = { q, limit: limitOf(params, 20), offset: params.type ? (params.offset ?? 0) : 0 }
  const has = (type: string): boolean => !params.type || params.type === type
  const me = viewer?.accountId ?? null
  const people = {
    ...page,
    resolve: params.resolve ?? false,
    followedBy: params.following ? (me ?? '0') : null,
    viewerId: me,
  }
  const [accounts, hashtags, statuses, collections] = await Promise.all([
    has('accounts') && !q.startsWith('#') && !(q.includes('@') && /\s/.test(q))
      ? searchAndResolveAccounts(ctx, people)
      : [],
    has('hashtags') && !q.includes('@')
      ? searchTags(ctx, { ...page, viewerId: me, excludeUnreviewed: params.exclude_unreviewed ?? false })
      : [],
    has('statuses') && viewer ? findStatuses(ctx, viewer, params, page) : [],
    has('collections') && !NAME.test(q) ? searchCollections(ctx, viewer, page) : [],
  ])
  return { accounts, statuses, hashtags, collections }
}

/** A single hashtag or handle: the search skips texts. */
const NAME = /^(?:[#＃]\S+|@?[^\s@:"]+@[^\s@]+|@[^\s@:"]+)$/u

async function findStatuses(
  ctx: Context,
  viewer: Viewer,
  { account_id: accountId, max_id: maxId, min_id: minId }: Params,
  page: OffsetPage & { q: string },
): Promise<string[]> {
  if (NAME.test(page.q)) return []
  if (accountId !== undefined && !isId(accountId)) return []
  const cursor = (id: string | undefined): string | null => (id !== undefined && isId(id) ? id : null)
  return searchStatuses(ctx, viewer, {
    ...page,
    accountId: accountId ?? null,
    maxId: cursor(maxId),
    minId: cursor(minId),
  })
}
