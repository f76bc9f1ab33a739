import { makeReport } from '../domain/annual-reports/reports.ts'
import { verifyLinks } from '../domain/accounts/verify-links.ts'
import { continueFanOut, continueTagFanOut, mergeFeed, rebuildFeed } from '../domain/fanout/home.ts'
import { checkApproval } from '../domain/fanout/approvals.ts'
import { closePoll, refreshPoll, tellPoll } from '../domain/fanout/polls.ts'
import { fetchQuoted } from '../domain/fanout/remote-quote.ts'
import { publishScheduled } from '../domain/fanout/schedule.ts'
import { fetchReplies } from '../domain/fanout/replies.ts'
import { sweep } from '../domain/fanout/sweep.ts'
import { fetchThread } from '../domain/fanout/thread.ts'
import { detectStatusLanguage } from '../domain/statuses/language.ts'
import { fetchCard } from '../domain/statuses/cards/job.ts'
import { indexAccount } from '../domain/statuses/search-account.ts'
import { sweepPortability } from '../domain/portability/archives.ts'
import { archiveBuilder } from '../domain/portability/build-archive.ts'
import { moveFollowers } from '../domain/portability/move-followers.ts'
import { runImport } from '../domain/portability/run-import.ts'
import { probeMedium } from '../domain/media/probe.ts'
import { processMedium } from '../domain/media/process.ts'
import { cacheMedia } from '../domain/media/remote.ts'
import { sendMail } from '../domain/instance/mail.ts'
import { sendPush } from '../domain/notifications/push-send.ts'
import { mergeAccepted } from '../domain/conversations/merge.ts'
import { tellSignUp } from '../domain/notifications/sign-up.ts'
import { archiveDocuments } from '../federation/archive.ts'
import { deliver } from '../federation/deliver.ts'
import { distribute } from '../federation/distribute.ts'
import { synchronizeFollowers } from '../federation/followers-synchronization.ts'
import { receiveActivity } from '../federation/receive.ts'
import { refreshAccount } from '../federation/refresh.ts'
import type { JobHandlers } from './worker.ts'

/** What does each kind of job. */
export const handlers: Partial<JobHandlers> = {
  'accounts.annual-report': makeReport,
  'accounts.verify-links': verifyLinks,
  'cards.fetch': fetchCard,
  'federation.approval': checkApproval,
  'federation.distribute': distribute,
  'federation.deliver': deliver,
  'federation.quote': fetchQuoted,
  'federation.receive': receiveActivity,
  'federation.refresh': refreshAccount,
  'federation.replies': fetchReplies,
  'federation.synchronize': synchronizeFollowers,
  'federation.thread': fetchThread,
  'fanout.home': continueFanOut,
  'fanout.merge': mergeFeed,
  'fanout.rebuild': rebuildFeed,
  'fanout.tags': continueTagFanOut,
  'instance.sweep': sweep,
  'languages.detect': detectStatusLanguage,
  'media.cache': cacheMedia,
  'media.probe': probeMedium,
  'media.process': processMedium,
  'mail.send': sendMail,
  'portability.archive': archiveBuilder(archiveDocuments),
  'portability.followers': moveFollowers,
  'portability.import': runImport,
  'portability.sweep': sweepPortability,
  'polls.close': closePoll,
  'polls.refresh': refreshPoll,
  'polls.tell': tellPoll,
  'statuses.publish': publishScheduled,
  'notifications.merge': mergeAccepted,
  'notifications.sign-up': tellSignUp,
  'push.send': sendPush,
  'search.account': indexAccount,
}
