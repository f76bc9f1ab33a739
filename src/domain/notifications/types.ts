/** What a notification can be about. */
export const NOTIFICATION_TYPES = [
  'mention',
  'status',
  'reblog',
  'follow',
  'follow_request',
  'favourite',
  'poll',
  'update',
  'admin.sign_up',
  'admin.report',
  'severed_relationships',
  'moderation_warning',
  'quote',
  'quoted_update',
  'added_to_collection',
  'collection_update',
] as const

export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

/** What people are told of though they caused it themselves, or nobody did. */
export const OWN_DOING: readonly NotificationType[] = ['poll', 'severed_relationships', 'moderation_warning']

/** Notifications of one of these kinds and one post (or of none) within half a day form a group. */
export const GROUPED: readonly NotificationType[] = ['favourite', 'reblog', 'follow', 'admin.sign_up']
export const BUCKET_SECONDS = 12 * 3600

/** What a policy may hold back: doings of others that nobody asked to be told of. */
export const FILTERABLE: readonly NotificationType[] = [
  'mention',
  'reblog',
  'follow',
  'follow_request',
  'favourite',
  'quote',
  'added_to_collection',
]

/** Of changes to one thing, the newest counts: it is told again, and what was told before goes. */
export const RENEWED: readonly NotificationType[] = ['update', 'quoted_update', 'collection_update']

/** What is about posts of others, which filters may keep away. */
export const SCREENED: readonly NotificationType[] = ['mention', 'status', 'update', 'poll', 'quote']
