import Type from 'typebox'
import { updateTag } from '../../actions/trends/review.ts'
import { listTags } from '../../domain/trends/review.ts'
import { AdminTag, presentAdminTags } from '../../entities/admin/trends.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { NotFound } from '../../lib/errors.ts'

const permission = 'manage_taxonomies'

export const getAdminTags = route({
  summary: 'All hashtags, newest first',
  scope: 'admin:read',
  permission,
  params: pageParams,
  returns: Type.Array(AdminTag),
  async handle(call) {
    const page = pageOf(call.params, 100)
    const ids = await listTags(call.ctx, page)
    setLinks(call, { ids, page })
    return presentAdminTags(call.ctx, call.viewer, ids)
  },
})

export const getAdminTag = route({
  summary: 'A hashtag with its review',
  scope: 'admin:read',
  permission,
  params: { id: IdParam },
  returns: AdminTag,
  async handle({ ctx, viewer, params }) {
    const [tag] = await presentAdminTags(ctx, viewer, [params.id])
    if (!tag) throw new NotFound()
    return tag
  },
})

export const updateAdminTag = route({
  summary: 'Change how a hashtag is shown, and whether it may be used, found and trend; it then counts as reviewed',
  scope: 'admin:write',
  permission,
  params: {
    id: IdParam,
    display_name: Type.Optional(Type.String()),
    trendable: Type.Optional(Type.Boolean()),
    usable: Type.Optional(Type.Boolean()),
    listable: Type.Optional(Type.Boolean()),
  },
  returns: AdminTag,
  async handle({ ctx, viewer, params: { id, ...changes } }) {
    await updateTag(ctx, viewer.accountId, id, changes)
    const [tag] = await presentAdminTags(ctx, viewer, [id])
    if (!tag) throw new NotFound()
    return tag
  },
})
