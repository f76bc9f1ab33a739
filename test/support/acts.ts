// Acts that tests call directly where no request triggers them.
import * as roles from '../../src/actions/admin/roles.ts'
import * as blockActs from '../../src/actions/accounts/block.ts'
import * as deletion from '../../src/actions/accounts/delete.ts'
import * as domainBlocks from '../../src/actions/accounts/domain-blocks.ts'
import * as faspActs from '../../src/actions/fasp/announce.ts'
import * as emailSubscriptions from '../../src/actions/accounts/email-subscriptions.ts'
import * as followActs from '../../src/actions/accounts/follow.ts'
import * as confirmEmailActs from '../../src/actions/auth/confirm-email.ts'
import * as settings from '../../src/actions/server/settings.ts'
import * as setUp from '../../src/actions/server/set-up.ts'
import * as tokens from '../../src/actions/auth/tokens.ts'
import * as actOnAccountActs from '../../src/actions/moderation/act-on-account.ts'
import * as appeals from '../../src/actions/moderation/appeals.ts'
import * as users from '../../src/actions/moderation/change-user.ts'
import * as moves from '../../src/actions/portability/move.ts'
import * as receiveStatus from '../../src/actions/remote/receive-status.ts'
import * as interactions from '../../src/actions/statuses/interactions.ts'
import * as deleteActs from '../../src/actions/statuses/delete.ts'
import * as deleteOld from '../../src/actions/statuses/delete-old.ts'
import * as fetchCardActs from '../../src/actions/statuses/fetch-card.ts'
import * as publish from '../../src/actions/statuses/publish.ts'
import * as reblogActs from '../../src/actions/statuses/reblog.ts'
import * as schedule from '../../src/actions/statuses/schedule.ts'
import * as cleanUpActs from '../../src/worker/clean-up.ts'
import * as operations from '../../src/actions/operations/accounts.ts'
import * as webhooks from '../../src/actions/server/webhooks.ts'
import * as announce from '../../src/actions/announcements/announce.ts'
import * as trendMails from '../../src/actions/trends/mail-reviews.ts'
import * as refresh from '../../src/domain/trends/refresh.ts'
import * as rules from '../../src/actions/server/rules.ts'
import * as copy from '../../src/actions/emojis/copy.ts'
import * as manage from '../../src/actions/emojis/manage.ts'
import * as blockLists from '../../src/actions/moderation/block-lists.ts'
import * as importDomains from '../../src/actions/moderation/import-domains.ts'
import * as relays from '../../src/actions/moderation/relays.ts'
import * as servers from '../../src/actions/moderation/servers.ts'
import * as moderationDomainBlocks from '../../src/actions/moderation/domain-blocks.ts'
import * as nodeInfo from '../../src/domain/peers/node-info.ts'
import { caughtUp } from './caught-up.ts'

export { restoreSeverances, startSeverance } from '../../src/actions/moderation/sever.ts'
export { notify, recordSeverance } from '../../src/actions/notifications/notify.ts'
export { fanOutHome, fanOutToTags } from '../../src/actions/timelines/fan-out.ts'

export const rotateKey = caughtUp(operations.rotateKey)
export const assignRole = caughtUp(roles.assignRole)
export const changeRole = caughtUp(roles.changeRole)
export const createRole = caughtUp(roles.createRole)
export const addAlias = caughtUp(moves.addAlias)
export const moveAccount = caughtUp(moves.moveAccount)
export const block = caughtUp(blockActs.block)
export const deleteAccount = caughtUp(deletion.deleteAccount)
export const eraseAgain = caughtUp(deletion.eraseAgain)
export const purgeRemoteAccount = caughtUp(deletion.purgeRemoteAccount)
export const blockDomain = caughtUp(domainBlocks.blockDomain)
export const announceToProviders = caughtUp(faspActs.announceToProviders)
export const mailNewPosts = caughtUp(emailSubscriptions.mailNewPosts)
export const authorizeFollow = caughtUp(followActs.authorizeFollow)
export { endFollow } from '../../src/actions/accounts/follow.ts'
export const follow = caughtUp(followActs.follow)
export const rejectFollow = caughtUp(followActs.rejectFollow)
export const unfollow = caughtUp(followActs.unfollow)
export const confirmEmail = caughtUp(confirmEmailActs.confirmEmail)
export const sendConfirmation = caughtUp(confirmEmailActs.sendConfirmation)
export const setUpLink = caughtUp(setUp.setUpLink)
export const saveSettings = caughtUp(settings.saveSettings)
export const changeSettings = caughtUp(settings.changeSettings)
export const setSettings = caughtUp(settings.setSettings)
export const revokeTokens = caughtUp(tokens.revokeTokens)
export const revokeTokensOf = caughtUp(tokens.revokeTokensOf)
export const actOnAccount = caughtUp(actOnAccountActs.actOnAccount)
export const appealWarning = caughtUp(appeals.appealWarning)
export const decideAppeal = caughtUp(appeals.decideAppeal)
export const modifyUser = caughtUp(users.modifyUser)
export const fetchStatusOrNull = caughtUp(receiveStatus.fetchStatusOrNull)
export const receiveNote = caughtUp(receiveStatus.receiveNote)
export const bookmark = caughtUp(interactions.bookmark)
export const favourite = caughtUp(interactions.favourite)
export { revokeQuote } from '../../src/actions/statuses/quote.ts'
export { unbookmark, unfavourite } from '../../src/actions/statuses/interactions.ts'
export const deleteStatuses = caughtUp(deleteActs.deleteStatuses)
export const withdrawReply = caughtUp(deleteActs.withdrawReply)
export const fetchCard = caughtUp(fetchCardActs.fetchCard)
export { editStatus } from '../../src/actions/statuses/edit.ts'
export const publishStatus = caughtUp(publish.publishStatus)
export const reblog = caughtUp(reblogActs.reblog)
export const enqueueLateJobs = caughtUp(schedule.enqueueLateJobs)
export const publishScheduled = caughtUp(schedule.publishScheduled)
export const cleanUp = caughtUp(cleanUpActs.cleanUp)
export const deleteOldStatusesOfUsers = caughtUp(deleteOld.deleteOldStatusesOfUsers)
export const createWebhook = caughtUp(webhooks.createWebhook)
export const deleteWebhook = caughtUp(webhooks.deleteWebhook)
export const switchWebhook = caughtUp(webhooks.switchWebhook)
export const modifyWebhook = caughtUp(webhooks.modifyWebhook)
export const rotateWebhookSecret = caughtUp(webhooks.rotateWebhookSecret)
export const testWebhook = caughtUp(webhooks.testWebhook)
export const createAnnouncement = caughtUp(announce.createAnnouncement)
export const deleteAnnouncement = caughtUp(announce.deleteAnnouncement)
export const enqueueLateAnnouncements = caughtUp(announce.enqueueLateAnnouncements)
export const modifyAnnouncement = caughtUp(announce.modifyAnnouncement)
export const publishAnnouncement = caughtUp(announce.publishAnnouncement)
export const unpublishAnnouncement = caughtUp(announce.unpublishAnnouncement)
export const mailReviews = caughtUp(trendMails.mailReviews)
export const refreshTrends = caughtUp(refresh.refreshTrends)
export const createRule = caughtUp(rules.createRule)
export const deleteRule = caughtUp(rules.deleteRule)
export const modifyRule = caughtUp(rules.modifyRule)
export const moveRule = caughtUp(rules.moveRule)
export const copyEmojis = caughtUp(copy.copyEmojis)
export const changeEmojis = caughtUp(manage.changeEmojis)
export const createEmoji = caughtUp(manage.createEmoji)
export const deleteEmojis = caughtUp(manage.deleteEmojis)
export const modifyEmoji = caughtUp(manage.modifyEmoji)
export const answerListChanges = caughtUp(blockLists.answerListChanges)
export const fetchBlockList = caughtUp(blockLists.fetchBlockList)
export const subscribeToBlockList = caughtUp(blockLists.subscribeToBlockList)
export const updateBlockList = caughtUp(blockLists.updateBlockList)
export const unsubscribeFromBlockList = caughtUp(blockLists.unsubscribeFromBlockList)
export const importDomainBlocks = caughtUp(importDomains.importDomainBlocks)
export const addRelay = caughtUp(relays.addRelay)
export const disableRelay = caughtUp(relays.disableRelay)
export const removeRelay = caughtUp(relays.removeRelay)
export const enqueueNodeInfo = caughtUp(servers.enqueueNodeInfo)
export const purgeDomain = caughtUp(servers.purgeDomain)
export const purgeServer = caughtUp(servers.purgeServer)
export const retryServer = caughtUp(servers.retryServer)
export const setDeliveryStopped = caughtUp(servers.setDeliveryStopped)
export const endDomainBlock = caughtUp(moderationDomainBlocks.endDomainBlock)
export const refreshNodeInfo = caughtUp(nodeInfo.refreshNodeInfo)
