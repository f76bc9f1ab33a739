import type { Context } from '../context.ts'
import { sql, type Sql } from '../db/sql.ts'
import { catchUp } from '../actions/statuses/schedule.ts'
import { deleteOldBudgets } from '../domain/peers/budgets.ts'
import { deleteExpiredTombstones } from '../domain/peers/tombstones.ts'
import { SESSION_DAYS } from '../domain/auth/sessions.ts'
import { removeUnusedApps } from '../domain/auth/unused-apps.ts'
import { rotateSystemKeys } from '../domain/crypto/franking.ts'
import { removeOrphanedMedia } from '../domain/media/orphans.ts'
import { removeUnseenEmojis } from '../domain/media/remote-emojis.ts'
import { deleteEmptyRequests } from '../domain/notifications/requests.ts'
import { deleteExpiredMutes } from '../actions/accounts/mute.ts'
import { removeUnusedCards } from '../domain/statuses/cards/unused.ts'
import { divideShares } from '../domain/search/status-shares.ts'
import { dropUnreadFeeds, trimFeeds } from '../domain/timelines/home-sweep.ts'

const deleting =
  (statement: Sql) =>
  async (ctx: Context): Promise<void> => {
    await ctx.db.run(statement)
  }

/** What goes when its time is over. Tombstones of what was here stay: it is not to come back. */
const TASKS: Record<string, (ctx: Context) => Promise<void>> = {
  'orphaned media': removeOrphanedMedia,
  'emojis of other servers': removeUnseenEmojis,
  'what is overdue': catchUp,
  'idempotency keys': deleting(sql`delete from idempotency_keys where created_at < now() - interval '1 hour'`),
  'activities received': deleting(sql`delete from inbox_activities where received_at < now() - interval '30 days'`),
  'activities sent': deleting(sql`delete from outbox_activities where created_at < now() - interval '7 days'`),
  'one-time links': deleting(sql`delete from one_time_tokens where expires_at < now()`),
  'second steps of signing in': deleting(sql`delete from sign_in_steps where expires_at < now()`),
  'answered challenges': deleting(sql`delete from spent_challenges where expires_at < now()`),
  'offers of authenticator apps': deleting(
    sql`delete from totp_keys where confirmed_at is null and created_at < now() - interval '1 day'`,
  ),
  'authorisation codes': deleting(sql`delete from oauth_grants where expires_at < now() - interval '1 day'`),
  applications: removeUnusedApps,
  sessions: deleting(
    sql`delete from sessions where last_seen_at < now() - make_interval(days => ${SESSION_DAYS}::int)`,
  ),
  mutes: deleteExpiredMutes,
  'notification requests': deleteEmptyRequests,
  'keys of seals': rotateSystemKeys,
  'expired tombstones': deleteExpiredTombstones,
  'old budgets': deleteOldBudgets,
  'work behind requests': deleting(sql`delete from async_refreshes where started_at < now() - interval '1 day'`),
  'shares of posts': divideShares,
  'unused previews': removeUnusedCards,
  translations: deleting(sql`delete from status_translations where created_at < now() - interval '30 days'`),
  'unread feeds': dropUnreadFeeds,
  'long feeds': trimFeeds,
}

/** Job `instance.sweep`: tidies up. A task that fails holds up none of the others; then the job is tried again. */
export async function sweep(ctx: Context): Promise<void> {
  const failures: unknown[] = []
  for (const [task, run] of Object.entries(TASKS)) {
    try {
      await run(ctx)
    } catch (error) {
      ctx.log.warn({ err: error, task }, 'could not sweep')
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'the sweep is not complete')
}
