import { deleteUnusedEmojis } from '../domain/media/remote-emojis.ts'
import { deleteOrphanedMedia } from '../domain/media/attachments.ts'
import { deleteFormerKeys } from '../domain/accounts/keys.ts'
import { storeWellKnown } from '../domain/search/accounts.ts'
import { deleteUnusedApps } from '../domain/auth/apps.ts'
import { deleteUnconfirmedUsers } from '../domain/auth/confirmation.ts'
import type { Context } from '../context.ts'
import { trimRemoteEmojis } from '../domain/emojis/remote.ts'
import { enqueueLateAnnouncements } from '../actions/announcements/announce.ts'
import { enqueueDuePurges } from '../actions/moderation/purge.ts'
import { mailUnreadNotifications } from '../actions/notifications/mail-unread.ts'
import { requireApprovalWithoutModerators } from '../actions/server/settings.ts'
import { deleteOldStatusesOfUsers } from '../actions/statuses/delete-old.ts'
import { enqueueLateJobs } from '../actions/statuses/schedule.ts'
import { expiredRowTasks } from '../domain/clean-up/expired-rows.ts'
import { deleteOldContent, evictOldMedia, deleteOldProfiles, enforceMediaBudget } from '../domain/clean-up/retention.ts'
import { rotateSystemKeys } from '../domain/crypto/franking.ts'
import { enqueueDueLists } from '../actions/moderation/block-lists.ts'
import { deleteOldSevered } from '../domain/moderation/severed.ts'
import { deleteEmptyRequests } from '../domain/notifications/requests.ts'
import { deleteOldBudgets } from '../domain/peers/budgets.ts'
import { enqueueNodeInfo } from '../actions/moderation/servers.ts'
import { deleteOldTraffic } from '../domain/peers/traffic.ts'
import { deleteExpiredTombstones } from '../domain/peers/tombstones.ts'
import { deleteExpiredArchives } from '../domain/portability/archives.ts'
import { deleteExpiredMutes } from '../domain/relationships/blocks.ts'
import { addSearchShare } from '../domain/search/status-index.ts'
import { deleteUnusedCards } from '../domain/statuses/cards/cards.ts'
import { deleteOldUses } from '../domain/trends/refresh.ts'
import { dropUnreadFeeds, trimFeeds } from '../domain/timelines/home-feed.ts'
import { endAbandonedFanOuts } from '../domain/timelines/running-fan-outs.ts'

/** Tombstones of local statuses never expire: their ids must not be used again. */
const TASKS: Record<string, (ctx: Context) => Promise<unknown>> = {
  'orphaned-media': deleteOrphanedMedia,
  'unseen-remote-emojis': deleteUnusedEmojis,
  'many-remote-emojis': trimRemoteEmojis,
  'due-purges': enqueueDuePurges,
  'late-jobs': enqueueLateJobs,
  'late-announcements': enqueueLateAnnouncements,
  ...expiredRowTasks(),
  'former-keys': deleteFormerKeys,
  'well-known-accounts': storeWellKnown,
  'unconfirmed-users': deleteUnconfirmedUsers,
  'unused-apps': deleteUnusedApps,
  'outdated-node-info': enqueueNodeInfo,
  'old-traffic': deleteOldTraffic,
  'due-block-lists': enqueueDueLists,
  'old-severed-relationships': deleteOldSevered,
  'expired-mutes': deleteExpiredMutes,
  'empty-notification-requests': deleteEmptyRequests,
  'franking-keys': rotateSystemKeys,
  'expired-tombstones': deleteExpiredTombstones,
  'expired-budgets': deleteOldBudgets,
  'expired-archives': deleteExpiredArchives,
  'status-shares': addSearchShare,
  'unused-cards': deleteUnusedCards,
  'old-uses': deleteOldUses,
  'media-budget': enforceMediaBudget,
  'old-media': evictOldMedia,
  'old-remote-statuses': deleteOldContent,
  'old-remote-profiles': deleteOldProfiles,
  'unmoderated-registrations': requireApprovalWithoutModerators,
  'old-statuses-of-users': deleteOldStatusesOfUsers,
  'notification-mails': mailUnreadNotifications,
  'unread-feeds': dropUnreadFeeds,
  'long-feeds': trimFeeds,
  'abandoned-fan-outs': endAbandonedFanOuts,
}

/** Job `instance.clean-up`: runs every task, even after one has failed; the queue then retries the job. */
export async function cleanUp(ctx: Context): Promise<void> {
  const failures: unknown[] = []
  for (const [task, run] of Object.entries(TASKS)) {
    try {
      await run(ctx)
    } catch (error) {
      ctx.log.warn({ err: error, task }, 'clean-up.task-failed')
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some clean-up tasks failed')
}
