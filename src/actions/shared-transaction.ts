import { perServer, type Context } from '../context.ts'
import { batched } from '../lib/batch.ts'
import { causedBy, currentCause } from '../lib/cause.ts'
import { compareIds } from '../lib/ids.ts'

type Run = (tx: Context) => Promise<unknown>
type Work = { run: Run; locks: string }

/** Rows that one transaction changes are locked until all its works are done. */
const MAX_WORKS = 25

const batches = perServer((ctx) => ({
  /** Works that process received activities. */
  received: batched((works: Run[]) => together(ctx, works), MAX_WORKS),
  acknowledged: batched((works: Work[]) => inOrderOfLocks(ctx, works), MAX_WORKS, { gather: true }),
}))

const together = (ctx: Context, works: readonly Run[]): Promise<unknown[]> =>
  ctx.transaction((tx) => Promise.all(works.map((run) => run(tx))))

/** In the order of the rows that they lock, so that batches of two processes do not wait for each other. */
async function inOrderOfLocks(ctx: Context, works: readonly Work[]): Promise<unknown[]> {
  const ordered = works.toSorted((a, b) => compareIds(a.locks, b.locks))
  const results = await together(
    ctx,
    ordered.map(({ run }) => run),
  )
  return works.map((work) => results[ordered.indexOf(work)])
}

/**
 * Runs `work` in a transaction that it shares with works for other activities: they share the commit, and their statements are
 * sent together. Locks do not separate such works, so a work that removes rows which another one may add needs a transaction of
 * its own. When one fails, each runs again alone. Never call it in a transaction.
 */
export async function shareTransaction<T>(ctx: Context, work: (tx: Context) => Promise<T>): Promise<T> {
  const cause = currentCause()
  return batches(ctx).received((tx) => causedBy(cause, () => work(tx))) as Promise<T>
}

/**
 * As shareTransaction, for works on whose result a client waits. In a transaction, `work` joins that one.
 * `locks`: the id of the row that works change most often.
 */
export async function shareCommit<T>(ctx: Context, locks: string, work: (tx: Context) => Promise<T>): Promise<T> {
  if (ctx.isTransaction) return work(ctx)
  const cause = currentCause()
  return batches(ctx).acknowledged({ locks, run: (tx) => causedBy(cause, () => work(tx)) }) as Promise<T>
}
