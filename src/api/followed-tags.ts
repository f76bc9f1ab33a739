// GET /api/v1/followed_tags: the hashtags that the caller follows.
import Type from 'typebox'
import { listFollowedTags } from '../domain/tags/followed.ts'
import { presentTags, Tag } from '../entities/tag.ts'
import { pageOf, pageParams, setLinks } from '../http/paginate.ts'
import { route } from '../http/route.ts'

export const getFollowedTags = route({
  summary: 'The hashtags that the caller follows',
  scope: 'read:follows',
  params: pageParams,
  returns: Type.Array(Tag),
  async handle(call) {
    const { ctx, viewer, params } = call
    const page = pageOf(params, 100)
    const rows = await listFollowedTags(ctx, viewer.accountId, page)
    setLinks(call, { ids: rows.map(({ id }) => id), page })
    return presentTags(
      ctx,
      viewer,
      rows.map((row) => row.tag_id),
    )
  },
})
