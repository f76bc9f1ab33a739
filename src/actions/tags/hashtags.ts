import type { Context } from '../../context.ts'
import { deleteFeaturedTagRow, insertFeaturedTag } from '../../domain/tags/featured.ts'
import { deleteFollowedTag, insertFollowedTag } from '../../domain/tags/tags.ts'
import { removeTagFromHome } from '../../domain/timelines/home-tags.ts'
import { federate } from '../federate.ts'

/**
 * `name` must be valid. A job adds the newest public statuses to the home timeline. Returns the id of the hashtag. Throws
 * Invalid above the limit.
 */
export const followHashtag = (ctx: Context, accountId: string, name: string): Promise<string> =>
  ctx.transaction(async (tx) => {
    const { tagId, isNew } = await insertFollowedTag(tx, accountId, name)
    if (isNew) await tx.enqueue('fanout.rebuild', { accountId })
    return tagId
  })

/**
 * Statuses that only the hashtag brought leave the home timeline at once; the job removes those of followed accounts that the
 * follow alone would not have brought.
 */
export const unfollowHashtag = (ctx: Context, accountId: string, tagId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    if (!(await deleteFollowedTag(tx, accountId, tagId))) return
    await removeTagFromHome(tx, accountId, tagId)
    await tx.enqueue('fanout.rebuild', { accountId })
  })

/** Returns the id of the hashtag. Throws Invalid for an invalid name and above the limit. May run twice. */
export const featureHashtag = (ctx: Context, accountId: string, typed: string): Promise<string> =>
  ctx.transaction(async (tx) => {
    const { tagId, name, isNew } = await insertFeaturedTag(tx, accountId, typed)
    if (isNew) await federate(tx, { activity: 'feature-tag', accountId, name })
    return tagId
  })

/** `id` is that of the featured hashtag, `tagId` that of the hashtag. Returns whether it was featured. */
export const unfeatureHashtag = (
  ctx: Context,
  accountId: string,
  which: { id: string } | { tagId: string },
): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const name = await deleteFeaturedTagRow(tx, accountId, which)
    if (name === null) return false
    await federate(tx, { activity: 'feature-tag', undo: true, accountId, name })
    return true
  })
