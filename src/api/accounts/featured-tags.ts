// GET /api/v1/accounts/:id/featured_tags: the hashtags on somebody's profile.
import Type from 'typebox'
import { getShownAccount } from '../../domain/accounts/find.ts'
import { listFeaturedTags } from '../../domain/tags/featured.ts'
import { FeaturedTag, presentFeaturedTag } from '../../entities/featured-tag.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'

export const getAccountFeaturedTags = route({
  summary: 'The hashtags that an account shows on its profile',
  auth: 'public',
  params: { id: IdParam },
  returns: Type.Array(FeaturedTag),
  async handle({ ctx, params }) {
    const { id } = await getShownAccount(ctx, params.id)
    return (await listFeaturedTags(ctx, id)).map((row) => presentFeaturedTag(ctx, row))
  },
})
