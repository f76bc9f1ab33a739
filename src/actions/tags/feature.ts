import type { Context } from '../../context.ts'
import { deleteFeaturedTagRow, insertFeaturedTag, type FeaturedTagRow } from '../../domain/tags/featured.ts'
import { federate } from '../federate.ts'

/**
 * Features a hashtag on the profile of an account and informs remote followers. Throws Invalid for an invalid name and above the
 * limit.
 */
export const featureHashtag = (ctx: Context, accountId: string, typed: string): Promise<FeaturedTagRow> =>
  ctx.transaction(async (tx) => {
    const { tag, isNew } = await insertFeaturedTag(tx, accountId, typed)
    if (isNew) await federate(tx, { activity: 'feature-tag', accountId, name: tag.name })
    return tag
  })

/** Undoes it, by the id of the featured hashtag or of the hashtag. Returns whether it was featured. */
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
