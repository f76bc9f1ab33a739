/** What holds for everybody here, beside what other nouns set for themselves: media/limits.ts, accounts/profile-rules.ts, statuses/compose.ts. */
export const MAX_PINNED_STATUSES = 5
export const MAX_FEATURED_TAGS = 10

/** Polls: how many options, how long each, and how long a poll may run, in seconds (up to a month). */
export const POLL_MAX_OPTIONS = 4
export const POLL_OPTION_LENGTH = 50
export const POLL_MIN_EXPIRATION = 300
export const POLL_MAX_EXPIRATION = 2_629_746
