import { processMedia } from '../domain/media/conversion.ts'
import { probeMedia } from '../actions/media/probe.ts'
import { makeReport } from '../domain/annual-reports/reports.ts'
import { eraseAgain } from '../actions/accounts/delete.ts'
import { verifyLinks } from '../domain/accounts/verify-links.ts'
import { askForConfirmation, mailNewPosts, sendNewPosts } from '../actions/accounts/email-subscriptions.ts'
import { fanOutToFollowers, continueTagFanOut, mergeFeed, rebuildFeed } from '../actions/timelines/fan-out.ts'
import { updatePublication } from '../actions/announcements/announce.ts'
import { mailAnnouncement } from '../actions/announcements/mail.ts'
import { announceToProviders } from '../actions/fasp/announce.ts'
import { recommendByProviders, searchAtProviders } from '../actions/fasp/discover.ts'
import { verifyItems } from '../actions/collections/verify.ts'
import { checkApproval } from '../actions/statuses/approvals.ts'
import { closePoll, refreshPoll, sendTally } from '../actions/statuses/polls.ts'
import { fetchQuoted } from '../actions/remote/fetch-quote.ts'
import { resolveLateMentions } from '../actions/statuses/late-mentions.ts'
import { publishScheduled } from '../actions/statuses/schedule.ts'
import { fetchReplies, fetchThread } from '../actions/remote/fetch-replies.ts'
import { cleanUp } from './clean-up.ts'
import { detectStatusLanguage } from '../actions/statuses/enrich.ts'
import { fetchCard } from '../actions/statuses/fetch-card.ts'
import { indexAccount } from '../actions/accounts/save-profile.ts'
import { archiveBuilder } from '../actions/portability/archive.ts'
import { fetchMovedTo, moveFollowers } from '../actions/portability/move.ts'
import { runImport } from '../actions/portability/import.ts'
import { cacheMedia } from '../domain/media/remote.ts'
import { applyDomain } from '../actions/moderation/apply-domain.ts'
import { fetchBlockList } from '../actions/moderation/block-lists.ts'
import { purgeDomain } from '../actions/moderation/servers.ts'
import { refreshNodeInfo } from '../domain/peers/node-info.ts'
import { runRestoration, runSeverance } from '../actions/moderation/sever.ts'
import { deleteFiles } from '../actions/files.ts'
import { sendMail } from '../actions/server/mail.ts'
import { webhookDelivery } from '../actions/server/webhooks.ts'
import { presentWebhookSubject } from '../entities/webhook-subject.ts'
import { sendPush } from '../actions/notifications/send-push.ts'
import { mergeAcceptedRequests } from '../actions/notifications/requests.ts'
import { purgeAccount } from '../actions/moderation/purge.ts'
import { archiveDocuments } from '../federation/documents/outbox.ts'
import { deliverActivity } from '../federation/outgoing/deliver.ts'
import { distribute } from '../federation/outgoing/distribute.ts'
import { synchronizeFollowers } from '../federation/followers-synchronization.ts'
import { receiveActivities } from '../federation/incoming/receive.ts'
import { refreshAccount } from '../actions/remote/refresh-account.ts'
import { mailReviews } from '../actions/trends/mail-reviews.ts'
import { refreshTrends } from '../domain/trends/refresh.ts'
import { greetNewUser, mailWelcome } from '../actions/auth/welcome.ts'
import { continueTermsMail } from '../actions/admin/terms.ts'
import type { JobHandlers } from './worker.ts'

export const handlers: JobHandlers = {
  'announcements.mail': mailAnnouncement,
  'announcements.update': updatePublication,
  'accounts.annual-report': makeReport,
  'accounts.erase': eraseAgain,
  'accounts.purge': purgeAccount,
  'accounts.verify-links': verifyLinks,
  'cards.fetch': fetchCard,
  'fasp.announce': announceToProviders,
  'fasp.recommend': recommendByProviders,
  'fasp.search': searchAtProviders,
  'federation.approval': checkApproval,
  'federation.collection': verifyItems,
  'federation.distribute': distribute,
  'federation.deliver': deliverActivity,
  'federation.moved-to': fetchMovedTo,
  'federation.node-info': refreshNodeInfo,
  'federation.quote': fetchQuoted,
  'federation.receive': receiveActivities,
  'federation.refresh': refreshAccount,
  'federation.replies': fetchReplies,
  'federation.synchronize': synchronizeFollowers,
  'federation.thread': fetchThread,
  'fanout.home': fanOutToFollowers,
  'fanout.merge': mergeFeed,
  'fanout.rebuild': rebuildFeed,
  'fanout.tags': continueTagFanOut,
  'files.delete': deleteFiles,
  'instance.clean-up': cleanUp,
  'languages.detect': detectStatusLanguage,
  'media.cache': cacheMedia,
  'media.probe': probeMedia,
  'media.process': processMedia,
  'email-subscriptions.confirm': askForConfirmation,
  'email-subscriptions.mail': mailNewPosts,
  'email-subscriptions.send': sendNewPosts,
  'mail.send': sendMail,
  'moderation.apply-domain': applyDomain,
  'moderation.fetch-list': fetchBlockList,
  'moderation.purge-domain': purgeDomain,
  'moderation.restore': runRestoration,
  'moderation.sever': runSeverance,
  'portability.archive': archiveBuilder(archiveDocuments),
  'portability.followers': moveFollowers,
  'portability.import': runImport,
  'polls.close': closePoll,
  'polls.refresh': refreshPoll,
  'polls.tell': sendTally,
  'statuses.mentions': resolveLateMentions,
  'statuses.publish': publishScheduled,
  'notifications.merge': mergeAcceptedRequests,
  'notifications.sign-up': greetNewUser,
  'mail.welcome': mailWelcome,
  'push.send': sendPush,
  'terms.mail': continueTermsMail,
  'search.account': indexAccount,
  'trends.refresh': refreshTrends,
  'trends.review': mailReviews,
  'webhooks.deliver': webhookDelivery(presentWebhookSubject),
}
