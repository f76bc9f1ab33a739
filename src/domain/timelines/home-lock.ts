import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'

/**
 * Keeps a status from being lost between its fan-out and the build of a feed. The fan-out writes to the feeds and followers
 * that it sees when its statement starts; a build, or the merge after a follow, sees only committed statuses. Without the lock,
 * a status could miss a feed because the fan-out did not see the feed yet and the build did not see the status yet.
 *
 * A transaction that publishes holds the lock, shared, from before the fan-out statement until its commit. A build or merge
 * first commits the row that directs the fan-out to the feed (home_feeds, follows), and then takes the lock once, exclusively.
 * After that, every older status is committed, so the build finds it, and every newer fan-out sees the row. The exclusive lock
 * is released at once, so publishing never waits for a build.
 */
const HOME_LOCK = 706_700_163

/** Takes the lock, shared, until the end of the transaction. The fan-out must be a later statement. */
export const holdOffBuilds: Sql = sql`pg_advisory_xact_lock_shared(${HOME_LOCK}::bigint)`

/** Waits until the transactions that are publishing have committed. Runs `first` under the exclusive lock. */
export async function waitForPublishing(ctx: Context, first?: (tx: Context) => Promise<unknown>): Promise<void> {
  await ctx.transaction(async (tx) => {
    await tx.db.run(sql`select pg_advisory_xact_lock(${HOME_LOCK}::bigint)`)
    await first?.(tx)
  })
}
