import Type from 'typebox'
import { featureHashtag, unfeatureHashtag } from '../actions/tags/hashtags.ts'
import { getShownAccount } from '../domain/accounts/find.ts'
import { MAX_FEATURED_TAGS, suggestFeaturedTags } from '../domain/tags/featured.ts'
import { Empty } from '../entities/schema.ts'
import { FeaturedTag, getFeaturedTag, listFeaturedTags, presentFeaturedTag, presentTags, Tag } from '../entities/tag.ts'
import { IdParam } from '../http/params.ts'
import { route } from '../http/route.ts'
import { NotFound } from '../lib/errors.ts'

export const getFeaturedTags = route({
  summary: "The hashtags on the viewer's profile",
  scope: 'read:accounts',
  returns: Type.Array(FeaturedTag),
  handle: async ({ ctx, viewer }) =>
    (await listFeaturedTags(ctx, viewer.accountId)).map((row) => presentFeaturedTag(ctx, row)),
})

export const createFeaturedTag = route({
  summary: `Feature a hashtag on the viewer's profile; at most ${MAX_FEATURED_TAGS}`,
  scope: 'write:accounts',
  rate: 'featured',
  params: { name: Type.String() },
  returns: FeaturedTag,
  async handle({ ctx, viewer, params }) {
    const tagId = await featureHashtag(ctx, viewer.accountId, params.name)
    return presentFeaturedTag(ctx, await getFeaturedTag(ctx, viewer.accountId, tagId))
  },
})

export const deleteFeaturedTag = route({
  summary: 'Stop featuring a hashtag',
  scope: 'write:accounts',
  rate: 'featured',
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    if (!(await unfeatureHashtag(ctx, viewer.accountId, { id: params.id }))) throw new NotFound()
    return {}
  },
})

export const getFeaturedTagSuggestions = route({
  summary: 'Hashtags that the viewer used most in the last year and does not feature',
  scope: 'read:accounts',
  returns: Type.Array(Tag),
  handle: async ({ ctx, viewer }) => presentTags(ctx, viewer, await suggestFeaturedTags(ctx, viewer.accountId)),
})

export const getAccountFeaturedTags = route({
  summary: 'The hashtags that an account features',
  auth: 'public',
  params: { id: IdParam },
  returns: Type.Array(FeaturedTag),
  async handle({ ctx, params }) {
    const { id } = await getShownAccount(ctx, params.id)
    return (await listFeaturedTags(ctx, id)).map((row) => presentFeaturedTag(ctx, row))
  },
})
