import { setTimeout as sleep } from 'node:timers/promises'
import { perServer, type Context } from '../../context.ts'
import { insertIncoming, type NewIncoming } from '../../domain/peers/activities.ts'
import type { ReceivedActivity } from '../../jobs/kinds.ts'
import { batched } from '../../lib/batch.ts'
import { useShare } from './fair-share.ts'

type Accepted = NewIncoming & {
  /** Of the signer. */
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

/** Stores the activity and enqueues its job, unless it is a repeat. Activities that arrive together share a transaction. */
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

/** Enqueues one job for all activities, but one apart for each host that has used up its share. */
async function storeBatch(ctx: Context, activities: readonly Accepted[]): Promise<void[]> {
  if (activities.length >= BURST) inbox(ctx).lastBurst = Date.now()
  await ctx.transaction(async (tx) => {
    const ids = await insertIncoming(tx, activities)
    const jobs = new Map<number, ReceivedActivity[]>()
    for (const [i, { host, cause }] of activities.entries()) {
      const id = ids[i]
      if (!id) continue
      const priority = useShare(ctx, host)
      const batch = jobs.get(priority)
      if (batch) batch.push({ id, cause })
      else jobs.set(priority, [{ id, cause }])
    }
    for (const [priority, batch] of jobs) await tx.enqueue('federation.receive', { batch }, { priority })
  })
  return activities.map(() => undefined)
}
