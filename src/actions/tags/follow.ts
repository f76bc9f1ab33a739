import type { Context } from '../../context.ts'
import { deleteFollowedTag, insertFollowedTag } from '../../domain/tags/followed.ts'
import { removeTagFromHome } from '../../domain/timelines/home-tags.ts'

/**
 * Follows a hashtag with a valid name and returns its id. The home timeline gets its newest public statuses, and new ones from
 * then on. Throws Invalid above the limit.
 */
export const followHashtag = (ctx: Context, accountId: string, name: string): Promise<string> =>
  ctx.transaction(async (tx) => {
    const { tagId, isNew } = await insertFollowedTag(tx, accountId, name)
    if (isNew) await tx.enqueue('fanout.rebuild', { accountId })
    return tagId
  })

/**
 * Unfollows a hashtag. Statuses that only the hashtag brought leave the home timeline at once; the job removes those of followed
 * accounts that the follow alone would not have brought.
 */
export const unfollowHashtag = (ctx: Context, accountId: string, tagId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    if (!(await deleteFollowedTag(tx, accountId, tagId))) return
    await removeTagFromHome(tx, accountId, tagId)
    await tx.enqueue('fanout.rebuild', { accountId })
  })
