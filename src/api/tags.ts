// GET /api/v1/tags/:name and POST /follow, /unfollow, /feature, /unfeature beneath it: a hashtag, and what the caller does with it.
import { featureHashtag, followHashtag, unfeatureHashtag, unfollowHashtag } from '../actions/tags/hashtags.ts'
import type { Context } from '../context.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { findTags, listFollowedTags } from '../domain/tags/tags.ts'
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
  handle: async ({ ctx, viewer, params }) => present(ctx, viewer, checked(params.name)),
})

export const followTag = route({
  summary: 'Have public posts with a hashtag in the home timeline',
  scope: 'write:follows',
  params: { name: Type.String() },
  returns: Tag,
  async handle({ ctx, viewer, params }) {
    const name = checked(params.name)
    await followHashtag(ctx, viewer.accountId, name)
    return present(ctx, viewer, name)
  },
})

export const unfollowTag = route({
  summary: 'Follow a hashtag no longer',
  scope: 'write:follows',
  params: { name: Type.String() },
  returns: Tag,
  async handle({ ctx, viewer, params }) {
    const name = checked(params.name)
    const id = await findTag(ctx, name)
    if (id !== null) await unfollowHashtag(ctx, viewer.accountId, id)
    return present(ctx, viewer, name)
  },
})

export const featureTag = route({
  summary: "Show a hashtag on the caller's profile; 10 at most",
  scope: 'write:accounts',
  params: { name: Type.String() },
  returns: Tag,
  async handle({ ctx, viewer, params }) {
    const name = checked(params.name)
    await featureHashtag(ctx, viewer.accountId, name)
    return present(ctx, viewer, name)
  },
})

export const unfeatureTag = route({
  summary: "Show a hashtag on the caller's profile no longer",
  scope: 'write:accounts',
  params: { name: Type.String() },
  returns: Tag,
  async handle({ ctx, viewer, params }) {
    const name = checked(params.name)
    const tagId = await findTag(ctx, name)
    if (tagId !== null) await unfeatureHashtag(ctx, viewer.accountId, { tagId })
    return present(ctx, viewer, name)
  },
})

/** A name that can be one of a hashtag, as it was typed. Throws NotFound. */
function checked(typed: string): string {
  const name = typed.replace(/^[#＃]/, '')
  if (!isTagName(name) || !isTagName(normaliseTag(name))) throw new NotFound()
  return name
}

const findTag = async (ctx: Context, name: string): Promise<string | null> =>
  [...(await findTags(ctx, [normaliseTag(name)])).values()][0] ?? null

async function present(ctx: Context, viewer: MaybeViewer, typed: string): Promise<Tag> {
  const name = normaliseTag(typed)
  const id = await findTag(ctx, name)
  const [tag] = id === null ? [] : await presentTags(ctx, viewer, [id])
  return tag ?? presentUnusedTag(ctx, viewer, name)
}

// GET /api/v1/followed_tags: the hashtags that the caller follows.

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
