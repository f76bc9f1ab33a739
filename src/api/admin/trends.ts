import Type from 'typebox'
import { reviewTrends } from '../../actions/trends/review.ts'
import { findProvider, listProviders } from '../../domain/trends/review.ts'
import {
  AdminPreviewCardProvider,
  AdminTag,
  AdminTrendsLink,
  AdminTrendsStatus,
  presentAdminLinks,
  presentAdminStatuses,
  presentAdminTags,
  presentProvider,
} from '../../entities/admin/trends.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam } from '../../http/params.ts'
import { type Endpoint, route } from '../../http/route.ts'
import { NotFound } from '../../lib/errors.ts'

const common = { scope: 'admin:write', permission: 'manage_taxonomies', params: { id: IdParam } } as const

const orNotFound = <T>(item: T | null | undefined): T => {
  if (item === null || item === undefined) throw new NotFound()
  return item
}

const reviewTag = (trendable: boolean): Endpoint =>
  route({
    ...common,
    summary: trendable ? 'Let a hashtag trend' : 'Keep a hashtag out of trends',
    returns: AdminTag,
    async handle({ ctx, viewer, params: { id } }) {
      await reviewTrends(ctx, viewer.accountId, 'tags', { ids: [id], trendable })
      return orNotFound((await presentAdminTags(ctx, viewer, [id]))[0])
    },
  })

const reviewLink = (trendable: boolean): Endpoint =>
  route({
    ...common,
    summary: trendable ? 'Let a link trend' : 'Keep a link out of trends',
    returns: AdminTrendsLink,
    async handle({ ctx, viewer, params: { id } }) {
      await reviewTrends(ctx, viewer.accountId, 'links', { ids: [id], trendable })
      return orNotFound((await presentAdminLinks(ctx, viewer, [id]))[0])
    },
  })

const reviewStatus = (trendable: boolean): Endpoint =>
  route({
    ...common,
    summary: trendable ? 'Let a public post trend' : 'Keep a public post out of trends',
    returns: AdminTrendsStatus,
    async handle({ ctx, viewer, params: { id } }) {
      const found = await reviewTrends(ctx, viewer.accountId, 'statuses', { ids: [id], trendable })
      if (found === 0) throw new NotFound()
      return orNotFound((await presentAdminStatuses(ctx, viewer, [id]))[0])
    },
  })

const reviewPublisher = (trendable: boolean): Endpoint =>
  route({
    ...common,
    summary: trendable ? 'Let the links of a publisher trend' : 'Keep the links of a publisher out of trends',
    returns: AdminPreviewCardProvider,
    async handle({ ctx, viewer, params: { id } }) {
      await reviewTrends(ctx, viewer.accountId, 'publishers', { ids: [id], trendable })
      return presentProvider(orNotFound(await findProvider(ctx, id)))
    },
  })

export const [approveTrendingTag, rejectTrendingTag] = [reviewTag(true), reviewTag(false)]
export const [approveTrendingLink, rejectTrendingLink] = [reviewLink(true), reviewLink(false)]
export const [approveTrendingStatus, rejectTrendingStatus] = [reviewStatus(true), reviewStatus(false)]
export const [approvePublisher, rejectPublisher] = [reviewPublisher(true), reviewPublisher(false)]

export const getPublishers = route({
  summary: 'Publishers of links that trended, newest first',
  scope: 'admin:read',
  permission: 'manage_taxonomies',
  params: pageParams,
  returns: Type.Array(AdminPreviewCardProvider),
  async handle(call) {
    const page = pageOf(call.params, 100)
    const rows = await listProviders(call.ctx, page)
    setLinks(call, { ids: rows.map(({ id }) => id), page })
    return rows.map(presentProvider)
  },
})
