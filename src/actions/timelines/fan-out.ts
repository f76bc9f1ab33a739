import type { Context } from '../../context.ts'
import { deleteFromHome, mergeIntoHome, rebuildHome } from '../../domain/timelines/home-build.ts'
import type { StatusAudience } from '../../domain/statuses/audience.ts'
import {
  type FanOutOptions,
  type FollowerRange,
  followerRanges,
  insertIntoHomeOfAuthor,
  insertIntoHomes,
  insertIntoRange,
} from '../../domain/timelines/home-feed.ts'
import { insertIntoHomesByTags } from '../../domain/timelines/home-tags.ts'
import { endFanOut, startFanOut } from '../../domain/timelines/running-fan-outs.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { isDuplicate } from '../../db/database.ts'

/** Ranges that a job writes at once. */
const CONCURRENCY = 2

/** Call it in the transaction that creates the status. May run twice. Returns who else must learn of the status. */
export async function fanOutHome(tx: Context, statusId: string, options: FanOutOptions = {}): Promise<StatusAudience> {
  const { needsJob, tagFollowed, ...audience } = await insertIntoHomes(tx, statusId, options)
  if (needsJob) {
    await Promise.all([startFanOut(tx, statusId), tx.enqueue('fanout.home', { statusId })])
    tx.publish({ type: 'status.new', id: statusId, more: true })
  }
  if (tagFollowed) await fanOutToTags(tx, statusId, { limit: options.limit })
  return audience
}

/** Call it in the transaction that creates a local status which needs approval: its author sees it in the home timeline. */
export async function showInOwnHome(tx: Context, statusId: string): Promise<void> {
  await insertIntoHomeOfAuthor(tx, statusId)
  tx.publish({ type: 'status.new', id: statusId })
}

/** `after`: the last row already handled. `limit`: feeds to write in this transaction; a job writes the others. */
type Chunk = { after?: string | null; limit?: number }

export async function fanOutToTags(tx: Context, statusId: string, chunk: Chunk): Promise<void> {
  const next = await insertIntoHomesByTags(tx, statusId, chunk)
  if (next !== null) await tx.enqueue('fanout.tags', { statusId, after: next })
}

/** Job `fanout.home`: the followers of a popular account. Short transactions keep builds of feeds from waiting for long. */
export async function fanOutToFollowers(ctx: Context, { statusId }: JobData['fanout.home']): Promise<void> {
  const ranges = followerRanges(ctx, statusId)
  const worker = async (): Promise<void> => {
    for await (const range of ranges) await fanOutTo(ctx, statusId, range)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  await endFanOut(ctx, statusId)
  ctx.publish({ type: 'status.new', id: statusId, more: true })
}

async function fanOutTo(ctx: Context, statusId: string, range: FollowerRange): Promise<void> {
  const insert = (mayExist: boolean): Promise<void> =>
    ctx.transaction((tx) => insertIntoRange(tx, statusId, range, { mayExist }), { background: true })
  try {
    await insert(false)
  } catch (error) {
    // The job runs a second time, or a feed was built meanwhile.
    if (!isDuplicate(error, 'home_feed_pkey')) throw error
    await insert(true)
  }
}

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
