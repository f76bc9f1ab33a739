import type { Route } from '../http/route.ts'
import { blockAccount, muteAccount, noteAccount, unblockAccount, unmuteAccount } from './accounts/block.ts'
import { subscribeByEmail } from './accounts/email-subscriptions.ts'
import {
  endorseAccount,
  getAccountEndorsements,
  pinAccount,
  unendorseAccount,
  unpinAccount,
} from './accounts/endorse.ts'
import { getAccountFeaturedTags } from './accounts/featured-tags.ts'
import { followAccount, removeFromFollowers, unfollowAccount } from './accounts/follow.ts'
import { getAccount, getAccounts, lookupAccount } from './accounts/get.ts'
import { getIdentityProofs } from './accounts/identity-proofs.ts'
import { getAccountLists } from './accounts/lists.ts'
import { getFollowers, getFollowing } from './accounts/network.ts'
import { getFamiliarFollowers, getRelationships } from './accounts/relationships.ts'
import { searchForAccounts } from './accounts/search.ts'
import { getAccountStatuses } from './accounts/statuses.ts'
import { updateCredentials } from './accounts/update-credentials.ts'
import { createAccount } from './accounts/create.ts'
import { verifyCredentials } from './accounts/verify-credentials.ts'
import {
  generateAnnualReport,
  getAnnualReport,
  getAnnualReportState,
  listAnnualReports,
  readAnnualReport,
} from './annual-reports.ts'
import { createApp } from './apps/create.ts'
import { verifyAppCredentials } from './apps/verify-credentials.ts'
import { getAsyncRefresh } from './async-refreshes.ts'
import { checkConfirmation, resendConfirmation } from './emails/confirmations.ts'
import { getBlocks } from './blocks.ts'
import { listBookmarks } from './bookmarks.ts'
import { getConversations, readConversation, removeConversation, unreadConversation } from './conversations.ts'
import { customEmojis } from './custom-emojis.ts'
import { directory } from './directory.ts'
import { collectionsAlpha } from './collections/alpha.ts'
import { createCollection, deleteCollection, getCollection, updateCollection } from './collections/collections.ts'
import { addCollectionItem, removeCollectionItem, revokeCollectionItem } from './collections/items.ts'
import { getAccountCollections, getCollectionsWithAccount } from './collections/of-account.ts'
import { deliver } from './crypto/deliveries.ts'
import { clearEncryptedMessages, getEncryptedMessages } from './crypto/encrypted-messages.ts'
import { claimOneTimeKeys, countKeys, queryKeys, uploadKeys } from './crypto/keys.ts'
import { addDomainBlock, getDomainBlocks, previewOfDomainBlock, removeDomainBlock } from './domain-blocks.ts'
import { getEndorsements } from './endorsements.ts'
import { listFavourites } from './favourites.ts'
import { createFeaturedTag, deleteFeaturedTag, getFeaturedTags, getFeaturedTagSuggestions } from './featured-tags.ts'
import { addFilter, changeFilter, listAllFilters, removeFilter, showFilter } from './filters/filters.ts'
import {
  addFilterKeyword,
  changeFilterKeyword,
  listFilterKeywords,
  removeFilterKeyword,
  showFilterKeyword,
} from './filters/keywords.ts'
import { addFilterStatus, listFilterStatuses, removeFilterStatus, showFilterStatus } from './filters/statuses.ts'
import { addFilterV1, changeFilterV1, listFiltersV1, removeFilterV1, showFilterV1 } from './filters/v1.ts'
import { authorizeFollowRequest, getFollowRequests, rejectFollowRequest } from './follow-requests.ts'
import { getFollowedTags } from './followed-tags.ts'
import { followByUri } from './follows.ts'
import { instanceV1, instanceV2 } from './instance/instance.ts'
import { activity, domainBlocks, peers } from './instance/network.ts'
import { translationPairs } from './instance/translation-languages.ts'
import { extendedDescription, languages, privacyPolicy, rules } from './instance/texts.ts'
import { addListAccounts, getListAccounts, removeListAccounts } from './lists/accounts.ts'
import { createList, deleteList, getList, getLists, updateList } from './lists/lists.ts'
import { getMarkers, saveMarkers } from './markers.ts'
import { deleteMedia, getMedia, updateMedia } from './media/attachment.ts'
import { uploadMedia, uploadMediaV1 } from './media/upload.ts'
import { getMutes } from './mutes.ts'
import { discovery, nodeInfo } from './nodeinfo.ts'
import {
  clear,
  clearGrouped,
  deleteNotification,
  deleteNotifications,
  dismiss,
  dismissByParameter,
} from './notifications/dismiss.ts'
import { dismissNotificationGroup, getNotificationGroup, groupAccounts } from './notifications/group.ts'
import { groupedNotifications, unreadGroupCount } from './notifications/grouped.ts'
import { getNotification, notifications, unreadCount } from './notifications/list.ts'
import {
  notificationPolicy,
  notificationPolicyV1,
  updateNotificationPolicy,
  updateNotificationPolicyV1,
} from './notifications/policy.ts'
import {
  acceptNotificationRequest,
  acceptNotificationRequests,
  dismissNotificationRequest,
  dismissNotificationRequests,
  getNotificationRequest,
  notificationRequests,
  requestsMerged,
} from './notifications/requests.ts'
import { oembed } from './oembed.ts'
import { createPoll, getPoll, voteInPoll } from './polls.ts'
import { preferences } from './preferences.ts'
import { deleteAvatar, deleteHeader, getProfile, updateProfile } from './profile.ts'
import { createPushSubscription, deletePushSubscription, getPushSubscription, updatePushSubscription } from './push.ts'
import {
  deleteScheduledStatus,
  getScheduledStatus,
  getScheduledStatuses,
  updateScheduledStatus,
} from './scheduled-statuses.ts'
import { searchPeers } from './peers.ts'
import { search, searchV1 } from './search.ts'
import { bookmarkStatus, unbookmarkStatus } from './statuses/bookmark.ts'
import { getContext } from './statuses/context.ts'
import { createStatus } from './statuses/create.ts'
import { deleteStatus } from './statuses/delete.ts'
import { updateInteractionPolicy, updateStatus } from './statuses/edit.ts'
import { favouriteStatus, unfavouriteStatus } from './statuses/favourite.ts'
import { getStatus, getStatuses } from './statuses/get.ts'
import { statusHistory, statusSource } from './statuses/history.ts'
import { favouritedBy, rebloggedBy } from './statuses/interacted-by.ts'
import { muteStatus, unmuteStatus } from './statuses/mute.ts'
import { pinStatus, unpinStatus } from './statuses/pin.ts'
import { getQuotes, revokeQuoteOfStatus } from './statuses/quotes.ts'
import { reblogStatus, unreblogStatus } from './statuses/reblog.ts'
import { translate } from './statuses/translate.ts'
import { dismissSuggestion, getSuggestions, getSuggestionsV1 } from './suggestions.ts'
import { featureTag, followTag, getTag, unfeatureTag, unfollowTag } from './tags.ts'
import { directTimeline } from './timelines/direct.ts'
import { homeTimeline } from './timelines/home.ts'
import { linkTimeline } from './timelines/link.ts'
import { listTimeline } from './timelines/list.ts'
import { publicTimeline } from './timelines/public.ts'
import { tagTimeline } from './timelines/tag.ts'

/** Every operation of the API. */
export const routes: readonly Route[] = [
  // accounts
  createAccount,
  blockAccount,
  endorseAccount,
  followAccount,
  getAccount,
  getAccountEndorsements,
  getAccountFeaturedTags,
  getAccountLists,
  getAccounts,
  getAccountStatuses,
  getFamiliarFollowers,
  getFollowers,
  getFollowing,
  getIdentityProofs,
  getRelationships,
  lookupAccount,
  muteAccount,
  noteAccount,
  pinAccount,
  removeFromFollowers,
  searchForAccounts,
  subscribeByEmail,
  unblockAccount,
  unendorseAccount,
  unfollowAccount,
  unmuteAccount,
  unpinAccount,
  updateCredentials,
  verifyCredentials,
  // annual_reports
  generateAnnualReport,
  getAnnualReport,
  getAnnualReportState,
  listAnnualReports,
  readAnnualReport,
  // apps
  createApp,
  verifyAppCredentials,
  // async_refreshes
  getAsyncRefresh,
  // blocks
  getBlocks,
  // bookmarks
  listBookmarks,
  // conversations
  getConversations,
  readConversation,
  removeConversation,
  unreadConversation,
  // collections
  addCollectionItem,
  createCollection,
  deleteCollection,
  getAccountCollections,
  getCollection,
  getCollectionsWithAccount,
  removeCollectionItem,
  revokeCollectionItem,
  updateCollection,
  ...collectionsAlpha,
  // crypto
  claimOneTimeKeys,
  clearEncryptedMessages,
  countKeys,
  deliver,
  getEncryptedMessages,
  queryKeys,
  uploadKeys,
  // custom_emojis
  customEmojis,
  // directories
  directory,
  // domain_blocks
  addDomainBlock,
  getDomainBlocks,
  previewOfDomainBlock,
  removeDomainBlock,
  // emails
  checkConfirmation,
  resendConfirmation,
  // endorsements
  getEndorsements,
  // favourites
  listFavourites,
  // filters
  addFilter,
  addFilterKeyword,
  addFilterStatus,
  addFilterV1,
  changeFilter,
  changeFilterKeyword,
  changeFilterV1,
  listAllFilters,
  listFilterKeywords,
  listFiltersV1,
  listFilterStatuses,
  removeFilter,
  removeFilterKeyword,
  removeFilterStatus,
  removeFilterV1,
  showFilter,
  showFilterKeyword,
  showFilterStatus,
  showFilterV1,
  // featured_tags
  createFeaturedTag,
  deleteFeaturedTag,
  getFeaturedTags,
  getFeaturedTagSuggestions,
  // follow_requests
  authorizeFollowRequest,
  getFollowRequests,
  rejectFollowRequest,
  // followed_tags
  getFollowedTags,
  // follows
  followByUri,
  // instance
  activity,
  domainBlocks,
  extendedDescription,
  instanceV1,
  instanceV2,
  languages,
  peers,
  privacyPolicy,
  rules,
  translationPairs,
  // lists
  addListAccounts,
  createList,
  deleteList,
  getList,
  getListAccounts,
  getLists,
  removeListAccounts,
  updateList,
  // markers
  getMarkers,
  saveMarkers,
  // media
  deleteMedia,
  getMedia,
  updateMedia,
  uploadMedia,
  uploadMediaV1,
  // mutes
  getMutes,
  // nodeinfo
  discovery,
  nodeInfo,
  // notifications
  acceptNotificationRequest,
  acceptNotificationRequests,
  clear,
  clearGrouped,
  deleteNotification,
  deleteNotifications,
  dismiss,
  dismissByParameter,
  dismissNotificationGroup,
  dismissNotificationRequest,
  dismissNotificationRequests,
  getNotification,
  getNotificationGroup,
  getNotificationRequest,
  groupAccounts,
  groupedNotifications,
  notificationPolicy,
  notificationPolicyV1,
  notificationRequests,
  notifications,
  requestsMerged,
  unreadCount,
  unreadGroupCount,
  updateNotificationPolicy,
  updateNotificationPolicyV1,
  // oembed
  oembed,
  // polls
  createPoll,
  getPoll,
  voteInPoll,
  // preferences
  preferences,
  // profile
  deleteAvatar,
  deleteHeader,
  getProfile,
  updateProfile,
  // push
  createPushSubscription,
  deletePushSubscription,
  getPushSubscription,
  updatePushSubscription,
  // scheduled_statuses
  deleteScheduledStatus,
  getScheduledStatus,
  getScheduledStatuses,
  updateScheduledStatus,
  // peers
  searchPeers,
  // search
  search,
  searchV1,
  // statuses
  bookmarkStatus,
  createStatus,
  deleteStatus,
  favouriteStatus,
  favouritedBy,
  getContext,
  getQuotes,
  getStatus,
  getStatuses,
  muteStatus,
  pinStatus,
  reblogStatus,
  rebloggedBy,
  revokeQuoteOfStatus,
  statusHistory,
  statusSource,
  translate,
  unbookmarkStatus,
  unfavouriteStatus,
  unmuteStatus,
  unpinStatus,
  unreblogStatus,
  updateInteractionPolicy,
  updateStatus,
  // suggestions
  dismissSuggestion,
  getSuggestions,
  getSuggestionsV1,
  // tags
  featureTag,
  followTag,
  getTag,
  unfeatureTag,
  unfollowTag,
  // timelines
  directTimeline,
  homeTimeline,
  linkTimeline,
  listTimeline,
  publicTimeline,
  tagTimeline,
]
