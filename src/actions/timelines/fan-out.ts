import type { Context } from '../../context.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { fanOutHome, fanOutToTags, mergeIntoHome, rebuildHome } from '../../domain/timelines/home-feed.ts'

/** Job `fanout.home`: the next followers of somebody whom thousands follow. */
export const continueFanOut = (ctx: Context, { statusId, after }: JobData['fanout.home']): Promise<void> =>
  ctx.transaction(async (tx) => {
    await fanOutHome(tx, statusId, { after })
    tx.publish({ type: 'status.new', id: statusId, more: true })
  })

/** Job `fanout.tags`: the next of those who follow a hashtag that thousands follow. */
export const continueTagFanOut = (ctx: Context, { statusId, after }: JobData['fanout.tags']): Promise<void> =>
  ctx.transaction(async (tx) => {
    await fanOutToTags(tx, statusId, { after })
    tx.publish({ type: 'status.new', id: statusId, more: true })
  })

/** Job `fanout.merge`: a follow began or ended. */
export const mergeFeed = (ctx: Context, { accountId, targetAccountId }: JobData['fanout.merge']): Promise<void> =>
  mergeIntoHome(ctx, accountId, targetAccountId)

/** Job `fanout.rebuild`: lists, hashtags or blocked domains changed. */
export const rebuildFeed = (ctx: Context, { accountId }: JobData['fanout.rebuild']): Promise<void> =>
  rebuildHome(ctx, accountId)
