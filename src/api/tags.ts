import { featureHashtag, followHashtag, unfeatureHashtag, unfollowHashtag } from '../actions/tags/hashtags.ts'
import type { Context } from '../context.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { MAX_FEATURED_TAGS } from '../domain/tags/featured.ts'
import { findKnownTag, findTags, listFollowedTags } from '../domain/tags/tags.ts'
import { Tag, presentTags, presentUnusedTag } from '../entities/tag.ts'
import { pageOf, pageParams, setLinks } from '../http/paginate.ts'
import { route } from '../http/route.ts'
import { NotFound } from '../lib/errors.ts'
import { isTagName, normaliseTag } from '../lib/text/tags.ts'
import Type from 'typebox'

export const getTag = route({
  summary: 'A hashtag and its use in the last seven days',
  auth: 'public',
  params: { name: Type.String() },
  returns: Tag,
  handle: async ({ ctx, viewer, params }) => present(ctx, viewer, checkName(params.name)),
})

export const followTag = route({
  summary: 'Follow a hashtag',
  scope: 'write:follows',
  rate: 'home',
  params: { name: Type.String() },
  returns: Tag,
  async handle({ ctx, viewer, params }) {
    const name = checkName(params.name)
    await followHashtag(ctx, viewer.accountId, name)
    return present(ctx, viewer, name)
  },
})

export const unfollowTag = route({
  summary: 'Unfollow a hashtag',
  scope: 'write:follows',
  rate: 'home',
  params: { name: Type.String() },
  returns: Tag,
  async handle({ ctx, viewer, params }) {
    const name = checkName(params.name)
    const id = await findTag(ctx, name)
    if (id !== null) await unfollowHashtag(ctx, viewer.accountId, id)
    return present(ctx, viewer, name)
  },
})

export const featureTag = route({
  summary: `Feature a hashtag on the viewer's profile; at most ${MAX_FEATURED_TAGS}`,
  scope: 'write:accounts',
  rate: 'featured',
  params: { name: Type.String() },
  returns: Tag,
  async handle({ ctx, viewer, params }) {
    const name = checkName(params.name)
    await featureHashtag(ctx, viewer.accountId, name)
    return present(ctx, viewer, name)
  },
})

export const unfeatureTag = route({
  summary: 'Stop featuring a hashtag',
  scope: 'write:accounts',
  rate: 'featured',
  params: { name: Type.String() },
  returns: Tag,
  async handle({ ctx, viewer, params }) {
    const name = checkName(params.name)
    const tagId = await findTag(ctx, name)
    if (tagId !== null) await unfeatureHashtag(ctx, viewer.accountId, { tagId })
    return present(ctx, viewer, name)
  },
})

/** Keeps the spelling. Throws NotFound when no hashtag can have the name. */
function checkName(typed: string): string {
  const name = typed.replace(/^[#＃]/, '')
  if (!isTagName(name) || !isTagName(normaliseTag(name))) throw new NotFound()
  return name
}

const findTag = async (ctx: Context, name: string): Promise<string | null> =>
  [...(await findTags(ctx, [normaliseTag(name)])).values()][0] ?? null

async function present(ctx: Context, viewer: MaybeViewer, typed: string): Promise<Tag> {
  const id = await findKnownTag(ctx, viewer, normaliseTag(typed))
  const [tag] = id === null ? [] : await presentTags(ctx, viewer, [id])
  return tag ?? presentUnusedTag(ctx, viewer, typed)
}

export const getFollowedTags = route({
  summary: 'Followed hashtags',
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
