import { deprecated, table } from '../http/route.ts'
import {
  approveAccount,
  deleteAccountData,
  enableAccount,
  performAccountAction,
  rejectAccount,
  restoreAccount,
  unsensitizeAccount,
  unsilenceAccount,
} from './admin/account-actions.ts'
import { getAdminAccount, getAdminAccountsV1, getAdminAccountsV2 } from './admin/accounts.ts'
import {
  addDomainBlock,
  blockAccount,
  getBlocks,
  getDomainBlocks,
  getMutes,
  muteAccount,
  noteAccount,
  getDomainBlockPreview,
  removeDomainBlock,
  unblockAccount,
  unmuteAccount,
} from './accounts/blocks-and-mutes.ts'
import {
  createAdminDomainAllow,
  deleteAdminDomainAllow,
  getAdminDomainAllow,
  getAdminDomainAllows,
} from './admin/domain-allows.ts'
import {
  deleteAdminDomainBlock,
  getAdminDomainBlocks,
  postAdminDomainBlock,
  putAdminDomainBlock,
  showAdminDomainBlock,
} from './admin/domain-blocks.ts'
import {
  createAdminCanonicalEmailBlock,
  deleteAdminCanonicalEmailBlock,
  getAdminCanonicalEmailBlock,
  getAdminCanonicalEmailBlocks,
  testCanonicalEmailBlocks,
} from './admin/canonical-email-blocks.ts'
import {
  createAdminEmailDomainBlock,
  deleteAdminEmailDomainBlock,
  getAdminEmailDomainBlock,
  getAdminEmailDomainBlocks,
} from './admin/email-domain-blocks.ts'
import {
  createAdminIpBlock,
  deleteAdminIpBlock,
  getAdminIpBlock,
  getAdminIpBlocks,
  updateAdminIpBlock,
} from './admin/ip-blocks.ts'
import { getTermsOfService, getTermsOfServiceByDate } from './instance/terms.ts'
import { subscribeByEmail } from './accounts/email-subscriptions.ts'
import { getIdentityProofs } from './accounts/unsupported.ts'
import { endorseAccount, getAccountEndorsements, getEndorsements, unendorseAccount } from './accounts/endorsements.ts'
import {
  createFeaturedTag,
  deleteFeaturedTag,
  getAccountFeaturedTags,
  getFeaturedTagSuggestions,
  getFeaturedTags,
} from './featured-tags.ts'
import {
  authorizeFollowRequest,
  followAccount,
  followByUri,
  getFollowRequests,
  rejectFollowRequest,
  removeFromFollowers,
  unfollowAccount,
} from './accounts/follow.ts'
import { getDirectory, showAccount, getAccounts, lookupAccount, searchForAccounts } from './accounts/get.ts'
import {
  addListAccounts,
  createList,
  deleteList,
  getAccountLists,
  getList,
  getListAccounts,
  getLists,
  removeListAccounts,
  updateList,
} from './lists.ts'
import { getFamiliarFollowers, getFollowers, getFollowing, getRelationships } from './accounts/relationships.ts'
import { getAccountStatuses } from './accounts/statuses.ts'
import {
  deleteAvatar,
  deleteHeader,
  getProfile,
  updateCredentials,
  updateProfile,
  verifyCredentials,
} from './accounts/profile.ts'
import { checkConfirmation, createAccount, requestConfirmationMail } from './accounts/sign-up.ts'
import {
  addAnnouncementReaction,
  dismissAnnouncement,
  getAnnouncements,
  removeAnnouncementReaction,
} from './announcements.ts'
import {
  generateAnnualReport,
  getAnnualReport,
  getAnnualReportState,
  getAnnualReports,
  markAnnualReportRead,
} from './annual-reports.ts'
import { createApp, verifyAppCredentials } from './apps.ts'
import { getAsyncRefresh } from './async-refreshes.ts'
import { getFavouritedBy, getBookmarks, getFavourites, getRebloggedBy } from './statuses/interaction-lists.ts'
import { getConversations, readConversation, removeConversation, unreadConversation } from './conversations.ts'
import { getDonationCampaign } from './donation-campaigns.ts'
import {
  getCustomEmojis,
  getExtendedDescription,
  getInstanceV1,
  getInstanceV2,
  getLanguages,
  getPrivacyPolicy,
  getRules,
  getTranslationLanguages,
} from './instance/instance.ts'
import {
  addCollectionItem,
  createCollection,
  deleteCollection,
  getAccountCollections,
  getCollection,
  getCollectionsWithAccount,
  removeCollectionItem,
  revokeCollectionItem,
  updateCollection,
} from './collections.ts'
import {
  claimOneTimeKeys,
  clearEncryptedMessages,
  countKeys,
  deliverEncryptedMessages,
  getEncryptedMessages,
  queryKeys,
  uploadKeys,
} from './crypto.ts'
import {
  addFilter,
  addFilterKeyword,
  addFilterStatus,
  changeFilter,
  changeFilterKeyword,
  getFilters,
  getFilterKeywords,
  getFilterStatuses,
  removeFilter,
  removeFilterKeyword,
  removeFilterStatus,
  getFilterV2,
  showFilterKeyword,
  showFilterStatus,
} from './filters/v2.ts'
import { addFilterV1, changeFilterV1, getFiltersV1, removeFilterV1, getFilterV1 } from './filters/v1.ts'
import { featureTag, followTag, getFollowedTags, getTag, unfeatureTag, unfollowTag } from './tags.ts'
import { getActivity, getInstanceDomainBlocks, getPeers, searchPeers } from './instance/network.ts'
import { getMarkers, saveMarkers } from './markers.ts'
import { deleteMedia, getMedia, updateMedia, uploadMedia, uploadMediaV1 } from './media/media.ts'
import { getNodeInfoLinks, getNodeInfo } from './instance/nodeinfo.ts'
import {
  clearAllNotifications,
  deleteNotification,
  destroyMultipleNotifications,
  dismissNotificationById,
  dismissNotificationByParam,
  getNotification,
  getNotifications,
  getUnreadCount,
} from './notifications/list.ts'
import {
  dismissNotificationGroup,
  getNotificationGroup,
  getGroupAccounts,
  getGroupedNotifications,
  getUnreadGroupCount,
} from './notifications/grouped.ts'
import {
  getNotificationPolicy,
  getNotificationPolicyV1,
  updateNotificationPolicy,
  updateNotificationPolicyV1,
} from './notifications/policy.ts'
import {
  acceptNotificationRequest,
  acceptNotificationRequests,
  dismissNotificationRequest,
  dismissNotificationRequests,
  getNotificationRequest,
  getNotificationRequests,
  getRequestsMerged,
} from './notifications/requests.ts'
import { getOEmbed } from './oembed.ts'
import { createPoll, getPoll, voteInPoll } from './polls.ts'
import {
  assignReportToSelf,
  getAdminReport,
  listAdminReports,
  reopenAdminReport,
  resolveReport,
  unassignReport,
  updateAdminReport,
} from './admin/reports.ts'
import { getPreferences } from './preferences.ts'
import { createReport } from './reports.ts'
import { createPushSubscription, deletePushSubscription, getPushSubscription, updatePushSubscription } from './push.ts'
import {
  deleteScheduledStatus,
  getScheduledStatus,
  getScheduledStatuses,
  updateScheduledStatus,
} from './statuses/scheduled.ts'
import { searchV2, searchV1 } from './search.ts'
import {
  bookmarkStatus,
  favouriteStatus,
  muteStatus,
  pinStatus,
  reblogStatus,
  unbookmarkStatus,
  unfavouriteStatus,
  unmuteStatus,
  unpinStatus,
  unreblogStatus,
} from './statuses/interactions.ts'
import {
  getStatusContext,
  getStatus,
  getStatuses,
  getStatusHistory,
  getStatusSource,
  getTranslation,
} from './statuses/get.ts'
import { createStatus } from './statuses/create.ts'
import { deleteStatus, updateInteractionPolicy, updateStatus } from './statuses/edit.ts'
import { getQuotes, revokeQuoteOfStatus } from './statuses/quotes.ts'
import { readDimensions, readMeasures, readRetentionCohorts } from './admin/statistics.ts'
import { getAdminTag, getAdminTags, updateAdminTag } from './admin/tags.ts'
import {
  approvePublisher,
  approveTrendingLink,
  approveTrendingStatus,
  approveTrendingTag,
  getPublishers,
  rejectPublisher,
  rejectTrendingLink,
  rejectTrendingStatus,
  rejectTrendingTag,
} from './admin/trends.ts'
import {
  getTrendingLinks,
  getTrendingLinksToReview,
  getTrendingStatuses,
  getTrendingStatusesToReview,
  getTrendingTags,
  getTrendingTagsToReview,
} from './trends.ts'
import { dismissSuggestion, getSuggestions, getSuggestionsV1 } from './suggestions.ts'
import {
  getDirectTimeline,
  getHomeTimeline,
  getLinkTimeline,
  getListTimeline,
  getPublicTimeline,
  getTagTimeline,
} from './timelines.ts'

/** Older clients use the paths under v1_alpha. */
const COLLECTIONS_RELEASED = Date.UTC(2026, 5, 10) / 1000
/** Mastodon 4.4 renamed pin and unpin to endorse and unendorse. */
const RENAMED_IN_4_4 = Date.UTC(2025, 6, 8) / 1000
const TRENDS_OF_OTHER_KINDS = Date.UTC(2022, 2, 30) / 1000

export const routes = table({
  'GET /api/v1/admin/canonical_email_blocks': getAdminCanonicalEmailBlocks,
  'POST /api/v1/admin/canonical_email_blocks': createAdminCanonicalEmailBlock,
  'POST /api/v1/admin/canonical_email_blocks/test': testCanonicalEmailBlocks,
  'GET /api/v1/admin/canonical_email_blocks/:id': getAdminCanonicalEmailBlock,
  'DELETE /api/v1/admin/canonical_email_blocks/:id': deleteAdminCanonicalEmailBlock,
  'GET /api/v1/admin/email_domain_blocks': getAdminEmailDomainBlocks,
  'POST /api/v1/admin/email_domain_blocks': createAdminEmailDomainBlock,
  'GET /api/v1/admin/email_domain_blocks/:id': getAdminEmailDomainBlock,
  'DELETE /api/v1/admin/email_domain_blocks/:id': deleteAdminEmailDomainBlock,
  'GET /api/v1/admin/ip_blocks': getAdminIpBlocks,
  'POST /api/v1/admin/ip_blocks': createAdminIpBlock,
  'GET /api/v1/admin/ip_blocks/:id': getAdminIpBlock,
  'PUT /api/v1/admin/ip_blocks/:id': updateAdminIpBlock,
  'DELETE /api/v1/admin/ip_blocks/:id': deleteAdminIpBlock,

  'POST /api/v1/accounts': createAccount,
  'GET /api/v1/accounts': getAccounts,
  'GET /api/v1/accounts/:id': showAccount,
  'POST /api/v1/accounts/:id/block': blockAccount,
  'POST /api/v1/accounts/:id/email_subscriptions': subscribeByEmail,
  'POST /api/v1/accounts/:id/endorse': endorseAccount,
  'GET /api/v1/accounts/:id/endorsements': getAccountEndorsements,
  'GET /api/v1/accounts/:id/featured_tags': getAccountFeaturedTags,
  'POST /api/v1/accounts/:id/follow': followAccount,
  'GET /api/v1/accounts/:id/followers': getFollowers,
  'GET /api/v1/accounts/:id/following': getFollowing,
  'GET /api/v1/accounts/:id/identity_proofs': getIdentityProofs,
  'GET /api/v1/accounts/:id/lists': getAccountLists,
  'POST /api/v1/accounts/:id/mute': muteAccount,
  'POST /api/v1/accounts/:id/note': noteAccount,
  'POST /api/v1/accounts/:id/pin': deprecated(endorseAccount, RENAMED_IN_4_4),
  'POST /api/v1/accounts/:id/remove_from_followers': removeFromFollowers,
  'GET /api/v1/accounts/:id/statuses': getAccountStatuses,
  'POST /api/v1/accounts/:id/unblock': unblockAccount,
  'POST /api/v1/accounts/:id/unendorse': unendorseAccount,
  'POST /api/v1/accounts/:id/unfollow': unfollowAccount,
  'POST /api/v1/accounts/:id/unmute': unmuteAccount,
  'POST /api/v1/accounts/:id/unpin': deprecated(unendorseAccount, RENAMED_IN_4_4),
  'GET /api/v1/accounts/familiar_followers': getFamiliarFollowers,
  'GET /api/v1/accounts/lookup': lookupAccount,
  'GET /api/v1/accounts/relationships': getRelationships,
  'GET /api/v1/accounts/search': searchForAccounts,
  'PATCH /api/v1/accounts/update_credentials': updateCredentials,
  'GET /api/v1/accounts/verify_credentials': verifyCredentials,

  'GET /api/v1/admin/accounts': getAdminAccountsV1,
  'GET /api/v2/admin/accounts': getAdminAccountsV2,
  'GET /api/v1/admin/accounts/:id': getAdminAccount,
  'DELETE /api/v1/admin/accounts/:id': deleteAccountData,
  'POST /api/v1/admin/accounts/:id/action': performAccountAction,
  'POST /api/v1/admin/accounts/:id/approve': approveAccount,
  'POST /api/v1/admin/accounts/:id/enable': enableAccount,
  'POST /api/v1/admin/accounts/:id/reject': rejectAccount,
  'POST /api/v1/admin/accounts/:id/unsensitive': unsensitizeAccount,
  'POST /api/v1/admin/accounts/:id/unsilence': unsilenceAccount,
  'POST /api/v1/admin/accounts/:id/unsuspend': restoreAccount,

  'GET /api/v1/admin/domain_allows': getAdminDomainAllows,
  'POST /api/v1/admin/domain_allows': createAdminDomainAllow,
  'GET /api/v1/admin/domain_allows/:id': getAdminDomainAllow,
  'DELETE /api/v1/admin/domain_allows/:id': deleteAdminDomainAllow,
  'GET /api/v1/admin/domain_blocks': getAdminDomainBlocks,
  'POST /api/v1/admin/domain_blocks': postAdminDomainBlock,
  'GET /api/v1/admin/domain_blocks/:id': showAdminDomainBlock,
  'PUT /api/v1/admin/domain_blocks/:id': putAdminDomainBlock,
  'DELETE /api/v1/admin/domain_blocks/:id': deleteAdminDomainBlock,

  'GET /api/v1/admin/reports': listAdminReports,
  'GET /api/v1/admin/reports/:id': getAdminReport,
  'PUT /api/v1/admin/reports/:id': updateAdminReport,
  'POST /api/v1/admin/reports/:id/assign_to_self': assignReportToSelf,
  'POST /api/v1/admin/reports/:id/unassign': unassignReport,
  'POST /api/v1/admin/reports/:id/reopen': reopenAdminReport,
  'POST /api/v1/admin/reports/:id/resolve': resolveReport,

  'GET /api/v1/annual_reports': getAnnualReports,
  'GET /api/v1/annual_reports/:year': getAnnualReport,
  'POST /api/v1/annual_reports/:year/generate': generateAnnualReport,
  'POST /api/v1/annual_reports/:year/read': markAnnualReportRead,
  'GET /api/v1/annual_reports/:year/state': getAnnualReportState,

  'POST /api/v1/admin/dimensions': readDimensions,
  'POST /api/v1/admin/measures': readMeasures,
  'POST /api/v1/admin/retention': readRetentionCohorts,
  'GET /api/v1/admin/tags': getAdminTags,
  'GET /api/v1/admin/tags/:id': getAdminTag,
  'PATCH /api/v1/admin/tags/:id': updateAdminTag,
  'PUT /api/v1/admin/tags/:id': updateAdminTag,
  'GET /api/v1/admin/trends/links': getTrendingLinksToReview,
  'POST /api/v1/admin/trends/links/:id/approve': approveTrendingLink,
  'POST /api/v1/admin/trends/links/:id/reject': rejectTrendingLink,
  'GET /api/v1/admin/trends/links/publishers': getPublishers,
  'POST /api/v1/admin/trends/links/publishers/:id/approve': approvePublisher,
  'POST /api/v1/admin/trends/links/publishers/:id/reject': rejectPublisher,
  'GET /api/v1/admin/trends/statuses': getTrendingStatusesToReview,
  'POST /api/v1/admin/trends/statuses/:id/approve': approveTrendingStatus,
  'POST /api/v1/admin/trends/statuses/:id/reject': rejectTrendingStatus,
  'GET /api/v1/admin/trends/tags': getTrendingTagsToReview,
  'POST /api/v1/admin/trends/tags/:id/approve': approveTrendingTag,
  'POST /api/v1/admin/trends/tags/:id/reject': rejectTrendingTag,

  'POST /api/v1/apps': createApp,
  'GET /api/v1/apps/verify_credentials': verifyAppCredentials,

  'GET /api/v1_alpha/async_refreshes/:refresh_id': getAsyncRefresh,

  'GET /api/v1/donation_campaigns': getDonationCampaign,
  'GET /api/v1/announcements': getAnnouncements,
  'POST /api/v1/announcements/:id/dismiss': dismissAnnouncement,
  'PUT /api/v1/announcements/:id/reactions/:name': addAnnouncementReaction,
  'DELETE /api/v1/announcements/:id/reactions/:name': removeAnnouncementReaction,

  'GET /api/v1/blocks': getBlocks,

  'GET /api/v1/bookmarks': getBookmarks,

  'GET /api/v1/conversations': getConversations,
  'DELETE /api/v1/conversations/:id': removeConversation,
  'POST /api/v1/conversations/:id/read': readConversation,
  'POST /api/v1/conversations/:id/unread': unreadConversation,

  'GET /api/v1/accounts/:account_id/collections': getAccountCollections,
  'GET /api/v1/accounts/:account_id/in_collections': getCollectionsWithAccount,
  'POST /api/v1/collections': createCollection,
  'POST /api/v1/collections/:collection_id/items': addCollectionItem,
  'DELETE /api/v1/collections/:collection_id/items/:id': removeCollectionItem,
  'POST /api/v1/collections/:collection_id/items/:id/revoke': revokeCollectionItem,
  'GET /api/v1/collections/:id': getCollection,
  'PATCH /api/v1/collections/:id': updateCollection,
  'DELETE /api/v1/collections/:id': deleteCollection,
  'GET /api/v1_alpha/accounts/:account_id/collections': deprecated(getAccountCollections, COLLECTIONS_RELEASED),
  'GET /api/v1_alpha/accounts/:account_id/in_collections': deprecated(getCollectionsWithAccount, COLLECTIONS_RELEASED),
  'POST /api/v1_alpha/collections': deprecated(createCollection, COLLECTIONS_RELEASED),
  'POST /api/v1_alpha/collections/:collection_id/items': deprecated(addCollectionItem, COLLECTIONS_RELEASED),
  'DELETE /api/v1_alpha/collections/:collection_id/items/:id': deprecated(removeCollectionItem, COLLECTIONS_RELEASED),
  'POST /api/v1_alpha/collections/:collection_id/items/:id/revoke': deprecated(
    revokeCollectionItem,
    COLLECTIONS_RELEASED,
  ),
  'GET /api/v1_alpha/collections/:id': deprecated(getCollection, COLLECTIONS_RELEASED),
  'PATCH /api/v1_alpha/collections/:id': deprecated(updateCollection, COLLECTIONS_RELEASED),
  'DELETE /api/v1_alpha/collections/:id': deprecated(deleteCollection, COLLECTIONS_RELEASED),

  'POST /api/v1/crypto/deliveries': deliverEncryptedMessages,
  'GET /api/v1/crypto/encrypted_messages': getEncryptedMessages,
  'POST /api/v1/crypto/encrypted_messages/clear': clearEncryptedMessages,
  'POST /api/v1/crypto/keys/claim': claimOneTimeKeys,
  'GET /api/v1/crypto/keys/count': countKeys,
  'POST /api/v1/crypto/keys/query': queryKeys,
  'POST /api/v1/crypto/keys/upload': uploadKeys,

  'GET /api/v1/custom_emojis': getCustomEmojis,

  'GET /api/v1/directory': getDirectory,

  'POST /api/v1/domain_blocks': addDomainBlock,
  'GET /api/v1/domain_blocks': getDomainBlocks,
  'DELETE /api/v1/domain_blocks': removeDomainBlock,
  'GET /api/v1/domain_blocks/preview': getDomainBlockPreview,

  'GET /api/v1/emails/check_confirmation': checkConfirmation,
  'POST /api/v1/emails/confirmations': requestConfirmationMail,

  'GET /api/v1/endorsements': getEndorsements,

  'GET /api/v1/favourites': getFavourites,

  'POST /api/v1/filters': addFilterV1,
  'GET /api/v1/filters': getFiltersV1,
  'GET /api/v1/filters/:id': getFilterV1,
  'PUT /api/v1/filters/:id': changeFilterV1,
  'DELETE /api/v1/filters/:id': removeFilterV1,
  'POST /api/v2/filters': addFilter,
  'GET /api/v2/filters': getFilters,
  'POST /api/v2/filters/:filter_id/keywords': addFilterKeyword,
  'GET /api/v2/filters/:filter_id/keywords': getFilterKeywords,
  'POST /api/v2/filters/:filter_id/statuses': addFilterStatus,
  'GET /api/v2/filters/:filter_id/statuses': getFilterStatuses,
  'GET /api/v2/filters/:id': getFilterV2,
  'PUT /api/v2/filters/:id': changeFilter,
  'DELETE /api/v2/filters/:id': removeFilter,
  'GET /api/v2/filters/keywords/:id': showFilterKeyword,
  'PUT /api/v2/filters/keywords/:id': changeFilterKeyword,
  'DELETE /api/v2/filters/keywords/:id': removeFilterKeyword,
  'GET /api/v2/filters/statuses/:id': showFilterStatus,
  'DELETE /api/v2/filters/statuses/:id': removeFilterStatus,

  'POST /api/v1/featured_tags': createFeaturedTag,
  'GET /api/v1/featured_tags': getFeaturedTags,
  'DELETE /api/v1/featured_tags/:id': deleteFeaturedTag,
  'GET /api/v1/featured_tags/suggestions': getFeaturedTagSuggestions,

  'GET /api/v1/follow_requests': getFollowRequests,
  'POST /api/v1/follow_requests/:account_id/authorize': authorizeFollowRequest,
  'POST /api/v1/follow_requests/:account_id/reject': rejectFollowRequest,

  'GET /api/v1/followed_tags': getFollowedTags,

  'POST /api/v1/follows': followByUri,

  'GET /api/v1/instance': getInstanceV1,
  'GET /api/v1/instance/activity': getActivity,
  'GET /api/v1/instance/domain_blocks': getInstanceDomainBlocks,
  'GET /api/v1/instance/extended_description': getExtendedDescription,
  'GET /api/v1/instance/languages': getLanguages,
  'GET /api/v1/instance/peers': getPeers,
  'GET /api/v1/instance/privacy_policy': getPrivacyPolicy,
  'GET /api/v1/instance/rules': getRules,
  'GET /api/v1/instance/terms_of_service': getTermsOfService,
  'GET /api/v1/instance/terms_of_service/:date': getTermsOfServiceByDate,
  'GET /api/v1/instance/translation_languages': getTranslationLanguages,
  'GET /api/v2/instance': getInstanceV2,

  'POST /api/v1/lists': createList,
  'GET /api/v1/lists': getLists,
  'GET /api/v1/lists/:id': getList,
  'PUT /api/v1/lists/:id': updateList,
  'DELETE /api/v1/lists/:id': deleteList,
  'POST /api/v1/lists/:id/accounts': addListAccounts,
  'GET /api/v1/lists/:id/accounts': getListAccounts,
  'DELETE /api/v1/lists/:id/accounts': removeListAccounts,

  'POST /api/v1/markers': saveMarkers,
  'GET /api/v1/markers': getMarkers,

  'POST /api/v1/media': uploadMediaV1,
  'GET /api/v1/media/:id': getMedia,
  'PUT /api/v1/media/:id': updateMedia,
  'DELETE /api/v1/media/:id': deleteMedia,
  'POST /api/v2/media': uploadMedia,

  'GET /api/v1/mutes': getMutes,

  'GET /.well-known/nodeinfo': getNodeInfoLinks,
  'GET /nodeinfo/2.0': getNodeInfo,

  'GET /api/v1/notifications': getNotifications,
  'GET /api/v1/notifications/:id': getNotification,
  'DELETE /api/v1/notifications/:id': deleteNotification,
  'POST /api/v1/notifications/:id/dismiss': dismissNotificationById,
  'POST /api/v1/notifications/clear': clearAllNotifications,
  'DELETE /api/v1/notifications/destroy_multiple': destroyMultipleNotifications,
  'POST /api/v1/notifications/dismiss': dismissNotificationByParam,
  'GET /api/v1/notifications/policy': getNotificationPolicyV1,
  'PUT /api/v1/notifications/policy': updateNotificationPolicyV1,
  'GET /api/v1/notifications/requests': getNotificationRequests,
  'GET /api/v1/notifications/requests/:id': getNotificationRequest,
  'POST /api/v1/notifications/requests/:id/accept': acceptNotificationRequest,
  'POST /api/v1/notifications/requests/:id/dismiss': dismissNotificationRequest,
  'POST /api/v1/notifications/requests/accept': acceptNotificationRequests,
  'POST /api/v1/notifications/requests/dismiss': dismissNotificationRequests,
  'GET /api/v1/notifications/requests/merged': getRequestsMerged,
  'GET /api/v1/notifications/unread_count': getUnreadCount,
  'GET /api/v2/notifications': getGroupedNotifications,
  'GET /api/v2/notifications/:group_key': getNotificationGroup,
  'GET /api/v2/notifications/:group_key/accounts': getGroupAccounts,
  'POST /api/v2/notifications/:group_key/dismiss': dismissNotificationGroup,
  'POST /api/v2/notifications/clear': clearAllNotifications,
  'GET /api/v2/notifications/policy': getNotificationPolicy,
  'PATCH /api/v2/notifications/policy': updateNotificationPolicy,
  'GET /api/v2/notifications/unread_count': getUnreadGroupCount,

  'GET /api/oembed': getOEmbed,

  'POST /api/v1/polls': createPoll,
  'GET /api/v1/polls/:id': getPoll,
  'POST /api/v1/polls/:id/votes': voteInPoll,

  'GET /api/v1/preferences': getPreferences,

  'GET /api/v1/profile': getProfile,
  'PATCH /api/v1/profile': updateProfile,
  'DELETE /api/v1/profile/avatar': deleteAvatar,
  'DELETE /api/v1/profile/header': deleteHeader,

  'POST /api/v1/push/subscription': createPushSubscription,
  'GET /api/v1/push/subscription': getPushSubscription,
  'PUT /api/v1/push/subscription': updatePushSubscription,
  'DELETE /api/v1/push/subscription': deletePushSubscription,

  'POST /api/v1/reports': createReport,

  'GET /api/v1/scheduled_statuses': getScheduledStatuses,
  'GET /api/v1/scheduled_statuses/:id': getScheduledStatus,
  'PUT /api/v1/scheduled_statuses/:id': updateScheduledStatus,
  'DELETE /api/v1/scheduled_statuses/:id': deleteScheduledStatus,

  'GET /api/v1/peers/search': searchPeers,

  'GET /api/v1/search': searchV1,
  'GET /api/v2/search': searchV2,

  'POST /api/v1/statuses': createStatus,
  'GET /api/v1/statuses': getStatuses,
  'GET /api/v1/statuses/:id': getStatus,
  'PUT /api/v1/statuses/:id': updateStatus,
  'DELETE /api/v1/statuses/:id': deleteStatus,
  'POST /api/v1/statuses/:id/bookmark': bookmarkStatus,
  'GET /api/v1/statuses/:id/context': getStatusContext,
  'POST /api/v1/statuses/:id/favourite': favouriteStatus,
  'GET /api/v1/statuses/:id/favourited_by': getFavouritedBy,
  'GET /api/v1/statuses/:id/history': getStatusHistory,
  'PUT /api/v1/statuses/:id/interaction_policy': updateInteractionPolicy,
  'POST /api/v1/statuses/:id/mute': muteStatus,
  'POST /api/v1/statuses/:id/pin': pinStatus,
  'GET /api/v1/statuses/:id/quotes': getQuotes,
  'POST /api/v1/statuses/:id/quotes/:quoting_status_id/revoke': revokeQuoteOfStatus,
  'POST /api/v1/statuses/:id/reblog': reblogStatus,
  'GET /api/v1/statuses/:id/reblogged_by': getRebloggedBy,
  'GET /api/v1/statuses/:id/source': getStatusSource,
  'POST /api/v1/statuses/:id/translate': getTranslation,
  'POST /api/v1/statuses/:id/unbookmark': unbookmarkStatus,
  'POST /api/v1/statuses/:id/unfavourite': unfavouriteStatus,
  'POST /api/v1/statuses/:id/unmute': unmuteStatus,
  'POST /api/v1/statuses/:id/unpin': unpinStatus,
  'POST /api/v1/statuses/:id/unreblog': unreblogStatus,

  'GET /api/v1/suggestions': getSuggestionsV1,
  'DELETE /api/v1/suggestions/:account': dismissSuggestion,
  'GET /api/v2/suggestions': getSuggestions,

  'GET /api/v1/tags/:name': getTag,
  'POST /api/v1/tags/:name/feature': featureTag,
  'POST /api/v1/tags/:name/follow': followTag,
  'POST /api/v1/tags/:name/unfeature': unfeatureTag,
  'POST /api/v1/tags/:name/unfollow': unfollowTag,

  'GET /api/v1/timelines/direct': getDirectTimeline,
  'GET /api/v1/timelines/home': getHomeTimeline,
  'GET /api/v1/timelines/link': getLinkTimeline,
  'GET /api/v1/timelines/list/:list_id': getListTimeline,
  'GET /api/v1/timelines/public': getPublicTimeline,
  'GET /api/v1/timelines/tag/:hashtag': getTagTimeline,

  'GET /api/v1/trends': deprecated(getTrendingTags, TRENDS_OF_OTHER_KINDS),
  'GET /api/v1/trends/links': getTrendingLinks,
  'GET /api/v1/trends/statuses': getTrendingStatuses,
  'GET /api/v1/trends/tags': getTrendingTags,
})
