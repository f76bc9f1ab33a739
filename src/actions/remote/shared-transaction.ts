import { perServer, type Context } from '../../context.ts'
import { commitLater } from '../../domain/peers/activities.ts'
import { batched } from '../../lib/batch.ts'
import { causedBy, currentCause } from '../../lib/cause.ts'

type Work = (tx: Context) => Promise<unknown>

/** Rows that one transaction changes are locked until all its works are done. */
const MAX_WORKS = 25

const batches = perServer((ctx) =>
  batched(
    (works: Work[]) =>
      ctx.transaction(async (tx) => {
        const [, ...results] = await Promise.all([commitLater(tx), ...works.map((work) => work(tx))])
        return results
      }),
    MAX_WORKS,
  ),
)

/**
 * Runs `work` in a transaction that it shares with works for other activities: they share the commit, and their statements are
 * sent together. Locks do not keep such works apart, so what removes things that another work may add uses a transaction of its
 * own. When one fails, each runs again alone. Never call it in a transaction.
 */
export async function shareTransaction<T>(ctx: Context, work: (tx: Context) => Promise<T>): Promise<T> {
  const cause = currentCause()
  return batches(ctx)((tx) => causedBy(cause, () => work(tx))) as Promise<T>
}
