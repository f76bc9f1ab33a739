import type { Context } from '../context.ts'
import { beginRefresh, findRunningRefresh, type AsyncRefresh } from '../domain/server/async-refreshes.ts'

type Refresh = {
  key: string
  /** Seconds before a job with the same key may start again. */
  intervalSeconds: number
  enqueue: (tx: Context) => Promise<void>
}

/**
 * Enqueues a job that counts its results, and whose progress clients can follow. Returns the progress, also of a job that a
 * concurrent request has started; null when one started within the interval.
 */
export async function startRefresh(
  ctx: Context,
  { key, intervalSeconds, enqueue }: Refresh,
): Promise<AsyncRefresh | null> {
  const isStarted = await ctx.transaction(async (tx) => {
    if (!(await beginRefresh(tx, key, { counts: true, intervalSeconds }))) return false
    await enqueue(tx)
    return true
  })
  // Even if the job has ended meanwhile: the answer must not depend on how fast it was.
  return isStarted ? { key, result_count: 0, status: 'running', age: 0 } : findRunningRefresh(ctx, key)
}
