import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'

/**
 * Why there is a lock. A transaction that posts writes into the feeds, and for the followers, that it sees when its fan-out
 * statement starts. A feed built, or a follow merged, at the same time sees only posts that are committed. Without more, a
 * post could fall between: its fan-out did not see the new feed yet, and the build did not see the post yet.
 *
 * So whoever posts holds this lock, shared, from before the fan-out statement until the commit. Whoever builds or merges
 * first commits the row that makes others write here (home_feeds, follows), and then passes the lock once, exclusively:
 * after that every older post is committed, and so found by the build, and every newer one sees the row. The exclusive lock
 * is held for that moment only, not for the build, so posting does not wait for anybody's feed.
 */
const HOME_LOCK = 706_700_163

/** An expression that takes the lock shared until the end of the transaction. The fan-out must be a later statement. */
export const holdOffBuilds: Sql = sql`pg_advisory_xact_lock_shared(${HOME_LOCK}::bigint)`

/** Waits until the posts under way are committed, having done `first` within the same moment. */
export async function passPosts(ctx: Context, first?: (tx: Context) => Promise<unknown>): Promise<void> {
  await ctx.transaction(async (tx) => {
    await tx.db.run(sql`select pg_advisory_xact_lock(${HOME_LOCK}::bigint)`)
    await first?.(tx)
  })
}
