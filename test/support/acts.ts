// Acts that tests call directly where no request triggers them.
export { assignRole, changeRole, createRole } from '../../src/actions/admin/roles.ts'
export { block } from '../../src/actions/accounts/block.ts'
export { deleteAccount, purgeRemoteAccount } from '../../src/actions/accounts/delete.ts'
export { blockDomain } from '../../src/actions/accounts/domain-blocks.ts'
export { authorizeFollow, follow, rejectFollow, unfollow } from '../../src/actions/accounts/follow.ts'
export { confirmEmail, sendConfirmation } from '../../src/actions/auth/confirm-email.ts'
export { setUpLink } from '../../src/actions/server/settings.ts'
export { revokeTokens, revokeTokensOf } from '../../src/actions/auth/tokens.ts'
export { restoreSeverances, startSeverance } from '../../src/actions/moderation/sever.ts'
export { actOnAccount } from '../../src/actions/moderation/act-on-account.ts'
export { appealWarning, decideAppeal } from '../../src/actions/moderation/appeals.ts'
export { modifyUser } from '../../src/actions/moderation/users.ts'
export { notify, recordSeverance } from '../../src/actions/notifications/notify.ts'
export { fetchRemoteStatus, receiveNote } from '../../src/actions/remote/receive-status.ts'
export { saveSettings } from '../../src/actions/server/settings.ts'
export { favourite } from '../../src/actions/statuses/interactions.ts'
export { fetchCard } from '../../src/actions/statuses/fetch-card.ts'
export { publishStatus } from '../../src/actions/statuses/publish.ts'
export { reblog } from '../../src/actions/statuses/reblog.ts'
export { enqueueLateJobs, publishScheduled } from '../../src/actions/statuses/schedule.ts'
export { fanOutHome, fanOutToTags } from '../../src/actions/timelines/fan-out.ts'
export { cleanUp } from '../../src/worker/clean-up.ts'
export {
  createWebhook,
  deleteWebhook,
  enableWebhook,
  modifyWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '../../src/actions/server/webhooks.ts'
export {
  createAnnouncement,
  deleteAnnouncement,
  enqueueLateAnnouncements,
  modifyAnnouncement,
  publishAnnouncement,
  unpublishAnnouncement,
} from '../../src/actions/announcements/announce.ts'
export { announceReviews } from '../../src/actions/trends/announce.ts'
export { refreshTrends } from '../../src/domain/trends/refresh.ts'
export { createRule, deleteRule, modifyRule, moveRule } from '../../src/actions/server/rules.ts'
export { changeSettings } from '../../src/actions/server/settings.ts'
export { copyEmojis } from '../../src/actions/emojis/copy.ts'
export { changeEmojis, createEmoji, deleteEmojis, modifyEmoji } from '../../src/actions/emojis/manage.ts'
export {
  answerListChanges,
  fetchBlockList,
  subscribeToBlockList,
  unsubscribeFromBlockList,
} from '../../src/actions/moderation/block-lists.ts'
export { importDomainBlocks } from '../../src/actions/moderation/import-domains.ts'
export { addRelay, disableRelay, removeRelay } from '../../src/actions/moderation/relays.ts'
export { purgeDomain, purgeServer, retryServer, setDeliveryStopped } from '../../src/actions/moderation/servers.ts'
export { endDomainBlock } from '../../src/actions/moderation/domain-blocks.ts'
export { refreshNodeInfo } from '../../src/domain/peers/node-info.ts'
