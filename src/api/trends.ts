import type { OffsetPage } from '../db/page.ts'
import Type from 'typebox'
import {
  findTrendingLinks,
  findTrendingStatuses,
  findTrendingTags,
  mayReviewTrends,
  type TrendPage,
} from '../domain/trends/lists.ts'
import {
  AdminTag,
  AdminTrendsLink,
  AdminTrendsStatus,
  presentAdminLinks,
  presentAdminStatuses,
  presentAdminTags,
} from '../entities/admin/trends.ts'
import { presentStatuses } from '../entities/status-presenter.ts'
import { Status } from '../entities/status.ts'
import { presentTags, Tag } from '../entities/tag.ts'
import { presentLinks, TrendsLink } from '../entities/trends.ts'
import { offsetPageOf, offsetParams, setOffsetLinks } from '../http/paginate.ts'
import { route } from '../http/route.ts'
import { arrayPieces } from '../lib/json.ts'

/** Offsets beyond find nothing. */
const MAX_OFFSET = 10_000

function pageAt(params: Partial<OffsetPage>, usual: number): TrendPage {
  const { limit, offset } = offsetPageOf(params, usual)
  return { limit, offset: Math.min(offset, MAX_OFFSET) }
}

export const getTrendingTags = route({
  summary: 'Hashtags that are used more than usual',
  auth: 'public',
  params: offsetParams,
  cacheable: true,
  returns: Type.Array(Tag),
  async handle(call) {
    const { ctx, viewer } = call
    const page = pageAt(call.params, 10)
    const ids = await findTrendingTags(ctx, viewer, page)
    setOffsetLinks(call, ids.length, page)
    return presentTags(ctx, viewer, ids)
  },
})

export const getTrendingLinks = route({
  summary: 'Links that are shared more than usual',
  auth: 'public',
  params: offsetParams,
  cacheable: true,
  returns: Type.Array(TrendsLink),
  async handle(call) {
    const { ctx, viewer } = call
    const page = pageAt(call.params, 10)
    const ids = await findTrendingLinks(ctx, viewer, page)
    setOffsetLinks(call, ids.length, page)
    return arrayPieces([...(await presentLinks(ctx, viewer, ids)).values()])
  },
})

export const getTrendingStatuses = route({
  summary: 'Posts with the most boosts and favourites lately',
  auth: 'public',
  params: offsetParams,
  cacheable: true,
  returns: Type.Array(Status),
  async handle(call) {
    const { ctx, viewer } = call
    const page = pageAt(call.params, 20)
    const ids = await findTrendingStatuses(ctx, viewer, page)
    setOffsetLinks(call, ids.length, page)
    return arrayPieces(await presentStatuses(ctx, viewer, ids))
  },
})

// The same lists for staff who review trends; for other users, the public ones. Mastodon documents the public entities for links
// and posts, but its code adds members for staff. Strict clients may not expect these, so the parameter `review` asks for them.

const review = Type.Optional(Type.Boolean())

export const getTrendingTagsToReview = route({
  summary: 'As /trends/tags; for staff who review trends, with hashtags that are not approved',
  auth: 'public',
  scope: 'admin:read',
  params: offsetParams,
  returns: Type.Array(Type.Union([AdminTag, Tag])),
  async handle(call) {
    const { ctx, viewer } = call
    const unreviewed = mayReviewTrends(viewer)
    const page = { ...pageAt(call.params, 10), unreviewed }
    const ids = await findTrendingTags(ctx, viewer, page)
    setOffsetLinks(call, ids.length, page)
    return unreviewed ? presentAdminTags(ctx, viewer, ids) : presentTags(ctx, viewer, ids)
  },
})

export const getTrendingLinksToReview = route({
  summary:
    'As /trends/links; for staff who review trends, with links that are not approved, and with `review` their ids',
  auth: 'public',
  scope: 'admin:read',
  params: { review, ...offsetParams },
  returns: Type.Array(Type.Union([AdminTrendsLink, TrendsLink])),
  async handle(call) {
    const { ctx, viewer } = call
    const unreviewed = mayReviewTrends(viewer)
    const page = { ...pageAt(call.params, 10), unreviewed }
    const ids = await findTrendingLinks(ctx, viewer, page)
    setOffsetLinks(call, ids.length, page)
    if (unreviewed && call.params.review) return arrayPieces(await presentAdminLinks(ctx, viewer, ids))
    return arrayPieces([...(await presentLinks(ctx, viewer, ids)).values()])
  },
})

export const getTrendingStatusesToReview = route({
  summary:
    'As /trends/statuses; for staff who review trends, with posts that are not approved, and with `review` their state',
  auth: 'public',
  scope: 'admin:read',
  params: { review, ...offsetParams },
  returns: Type.Array(Type.Union([AdminTrendsStatus, Status])),
  async handle(call) {
    const { ctx, viewer } = call
    const unreviewed = mayReviewTrends(viewer)
    const withState = unreviewed && call.params.review
    const page = { ...pageAt(call.params, 20), unreviewed }
    const ids = await findTrendingStatuses(ctx, viewer, page)
    setOffsetLinks(call, ids.length, page)
    return arrayPieces(await (withState ? presentAdminStatuses(ctx, viewer, ids) : presentStatuses(ctx, viewer, ids)))
  },
})
