// GET /api/v1/tags/:name and POST /follow, /unfollow, /feature, /unfeature beneath it: a hashtag, and what the caller does with it.
import { featureHashtag, unfeatureHashtag } from '../actions/tags/feature.ts'
import { followHashtag, unfollowHashtag } from '../actions/tags/follow.ts'
import type { Context } from '../context.ts'
import type { Onlooker } from '../domain/statuses/visibility.ts'
import { findTags } from '../domain/tags/tags.ts'
import { presentTags, presentUnusedTag, Tag } from '../entities/tag.ts'
import { route } from '../http/route.ts'
import { NotFound } from '../lib/errors.ts'
import { isTagName, normaliseTag } from '../lib/text/tags.ts'

export const getTag = route('GET /api/v1/tags/:name', {
  summary: 'A hashtag and its use in the last seven days',
  auth: 'public',
  returns: Tag,
  handle: async ({ ctx, viewer, params }) => present(ctx, viewer, checked(params.name)),
})

export const followTag = route('POST /api/v1/tags/:name/follow', {
  summary: 'Have public posts with a hashtag in the home timeline',
  scope: 'write:follows',
  returns: Tag,
  async handle({ ctx, viewer, params }) {
    const name = checked(params.name)
    await followHashtag(ctx, viewer.accountId, name)
    return present(ctx, viewer, name)
  },
})

export const unfollowTag = route('POST /api/v1/tags/:name/unfollow', {
  summary: 'Follow a hashtag no longer',
  scope: 'write:follows',
  returns: Tag,
  async handle({ ctx, viewer, params }) {
    const name = checked(params.name)
    const id = await findTag(ctx, name)
    if (id !== null) await unfollowHashtag(ctx, viewer.accountId, id)
    return present(ctx, viewer, name)
  },
})

export const featureTag = route('POST /api/v1/tags/:name/feature', {
  summary: "Show a hashtag on the caller's profile; 10 at most",
  scope: 'write:accounts',
  returns: Tag,
  async handle({ ctx, viewer, params }) {
    const name = checked(params.name)
    await featureHashtag(ctx, viewer.accountId, name)
    return present(ctx, viewer, name)
  },
})

export const unfeatureTag = route('POST /api/v1/tags/:name/unfeature', {
  summary: "Show a hashtag on the caller's profile no longer",
  scope: 'write:accounts',
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

async function present(ctx: Context, viewer: Onlooker, typed: string): Promise<Tag> {
  const name = normaliseTag(typed)
  const id = await findTag(ctx, name)
  const [tag] = id === null ? [] : await presentTags(ctx, viewer, [id])
  return tag ?? presentUnusedTag(ctx, viewer, name)
}
