/** The texts are in `messages/<language>/notifications.ts`. In the API, a type is also the name of its push alert. */
type NotificationRules = {
  /** Notifies accounts also of their own activity, or of events that no account caused. */
  ownActivity?: true
  /** Notifications about one status (or none) within BUCKET_SECONDS form a group. */
  grouped?: true
  /** The recipient's policy may filter or drop it. */
  filterable?: true
  /** A newer notification about the same change replaces the older one. */
  renewed?: true
  /** It shows a status of another account, which the recipient's irreversible filters may hide. */
  matchesFilters?: true
}

/** In the order in which the API lists them. */
const NOTIFICATIONS = {
  mention: { filterable: true, matchesFilters: true },
  status: { matchesFilters: true },
  reblog: { grouped: true, filterable: true },
  follow: { grouped: true, filterable: true },
  follow_request: { filterable: true },
  favourite: { grouped: true, filterable: true },
  poll: { ownActivity: true, matchesFilters: true },
  update: { renewed: true, matchesFilters: true },
  'admin.sign_up': { grouped: true },
  'admin.report': {},
  severed_relationships: { ownActivity: true },
  moderation_warning: { ownActivity: true },
  quote: { filterable: true, matchesFilters: true },
  quoted_update: { renewed: true },
  added_to_collection: { filterable: true },
  collection_update: { renewed: true },
} as const satisfies Record<string, NotificationRules>

export type NotificationType = keyof typeof NOTIFICATIONS

export const NOTIFICATION_TYPES = Object.keys(NOTIFICATIONS) as NotificationType[]

export const rulesOf = (type: NotificationType): NotificationRules => NOTIFICATIONS[type]

export const GROUPED_TYPES: readonly NotificationType[] = NOTIFICATION_TYPES.filter((type) => rulesOf(type).grouped)
export const BUCKET_SECONDS = 12 * 3600
