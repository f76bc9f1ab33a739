import { setTimeout as sleep } from 'node:timers/promises'
import { perServer, type Context } from '../../context.ts'
import { isDuplicate } from '../../db/database.ts'
import { insertIncoming, type NewIncoming } from '../../domain/peers/activities.ts'
import { withFreeId } from '../../domain/statuses/free-id.ts'
import type { ReceivedActivity } from '../../jobs/kinds.ts'
import { batched } from '../../lib/batch.ts'
import { newId } from '../../lib/ids.ts'
import { nextPriority } from './fair-share.ts'

type Accepted = Omit<NewIncoming, 'id'> & {
  /** The host of the signer. */
  host: string
  cause: ReceivedActivity['cause']
}

/** Activities of one transaction, and of one job. */
const MAX_BATCH = 50

/** A batch of this many shows that activities arrive faster than they are stored. */
const BURST = 3
/** Milliseconds after such a batch in which more are expected, and for which processing waits at most. */
const BURST_GAP = 10
const MAX_WAIT = 250

const inbox = perServer((ctx) => ({
  store: batched((activities: Accepted[]) => storeBatch(ctx, activities), MAX_BATCH),
  lastBurst: 0,
  waitsFrom: 0,
}))

/** Stores the activity and enqueues its job, unless it is a duplicate. Activities that arrive together share a transaction. */
export const storeIncoming = (ctx: Context, activity: Accepted): Promise<void> => inbox(ctx).store(activity)

/**
 * Lets a burst of activities arrive before they are processed in the same process: other servers wait for responses, and large
 * batches cost less. Waits for half of the time at most.
 */
export async function waitForBurst(ctx: Context): Promise<void> {
  const state = inbox(ctx)
  const start = Date.now()
  if (start < state.waitsFrom) return
  while (Date.now() < Math.min(state.lastBurst + BURST_GAP, start + MAX_WAIT)) await sleep(BURST_GAP / 2)
  const end = Date.now()
  state.waitsFrom = end + (end - start)
}

async function storeBatch(ctx: Context, accepted: readonly Accepted[]): Promise<void[]> {
  if (accepted.length >= BURST) inbox(ctx).lastBurst = Date.now()
  const queued = accepted.map((activity) => ({
    ...activity,
    priority: nextPriority(ctx, activity.host, activity.body.length),
  }))
  await withFreeId(() => tryStore(ctx, queued))
  return accepted.map(() => undefined)
}

/**
 * Enqueues one job for all activities, but one apart for each host that has used up its share. For a duplicate, it finds nothing
 * to do. Null when another process has used one of the ids.
 */
async function tryStore(ctx: Context, queued: readonly (Accepted & { priority: number })[]): Promise<true | null> {
  const activities = queued.map((activity) => ({ ...activity, id: newId() }))
  const jobs = Map.groupBy(activities, ({ priority }) => priority)
  try {
    // The ids are known, so that all statements share a round trip.
    await ctx.transaction((tx) =>
      Promise.all([
        insertIncoming(tx, activities),
        ...[...jobs].map(([priority, batch]) =>
          tx.enqueue('federation.receive', { batch: batch.map(({ id, cause }) => ({ id, cause })) }, { priority }),
        ),
      ]),
    )
    return true
  } catch (error) {
    if (isDuplicate(error, 'inbox_activities_pkey')) return null
    throw error
  }
}
