import type { Context } from '../../context.ts'
import { deleteFromHome, mergeIntoHome, rebuildHome } from '../../domain/timelines/home-build.ts'
import { insertIntoHomes } from '../../domain/timelines/home-feed.ts'
import { insertIntoHomesByTags } from '../../domain/timelines/home-tags.ts'
import type { JobData } from '../../jobs/kinds.ts'

/** `after`: the last row already handled. `limit`: feeds to write in this transaction; a job writes the others. */
type Chunk = { after?: string | null; limit?: number }

/** Call it in the transaction that creates the status. May run twice. */
export async function fanOutHome(tx: Context, statusId: string, chunk: Chunk = {}): Promise<void> {
  const { next, tagFollowed } = await insertIntoHomes(tx, statusId, chunk)
  if (next !== null) await tx.enqueue('fanout.home', { statusId, after: next })
  if (tagFollowed && !chunk.after) await fanOutToTags(tx, statusId, chunk)
}

export async function fanOutToTags(tx: Context, statusId: string, chunk: Chunk): Promise<void> {
  const next = await insertIntoHomesByTags(tx, statusId, chunk)
  if (next !== null) await tx.enqueue('fanout.tags', { statusId, after: next })
}

/** Job `fanout.home`: continues with the next followers. */
export const continueFanOut = (ctx: Context, { statusId, after }: JobData['fanout.home']): Promise<void> =>
  ctx.transaction(async (tx) => {
    await fanOutHome(tx, statusId, { after })
    tx.publish({ type: 'status.new', id: statusId, more: true })
  })

/** Job `fanout.tags`: continues with the next accounts that follow a hashtag. */
export const continueTagFanOut = (ctx: Context, { statusId, after }: JobData['fanout.tags']): Promise<void> =>
  ctx.transaction(async (tx) => {
    await fanOutToTags(tx, statusId, { after })
    tx.publish({ type: 'status.new', id: statusId, more: true })
  })

/**
 * Call it in the transaction that ends the follow. The job removes a status whose concurrent fan-out is not committed yet.
 */
export async function removeFromHome(tx: Context, accountId: string, targetAccountId: string): Promise<void> {
  const hasFeed = await deleteFromHome(tx, accountId, targetAccountId)
  if (hasFeed) await tx.enqueue('fanout.merge', { accountId, targetAccountId })
}

/** Job `fanout.merge`: a follow began or ended. */
export const mergeFeed = (ctx: Context, { accountId, targetAccountId }: JobData['fanout.merge']): Promise<void> =>
  mergeIntoHome(ctx, accountId, targetAccountId)

/** Job `fanout.rebuild`: lists, followed hashtags or blocked domains changed. */
export const rebuildFeed = (ctx: Context, { accountId }: JobData['fanout.rebuild']): Promise<void> =>
  rebuildHome(ctx, accountId)
