import type { Visibility } from '../../db/schema.ts'
import type { MediaMeta } from '../media/attachments.ts'

/** Quotes have a policy of their own: quotes/policy.ts. */
export type InteractionKind = 'like' | 'reply' | 'announce'

/** `public`, `followers`, `following` (accounts that the author follows), or URIs of actors. */
export type InteractionRule = { automatic: string[]; manual: string[] }

/** Everyone who can see a remote status may interact in the ways that its policy does not name. */
export type InteractionPolicy = Partial<Record<InteractionKind, InteractionRule>> & {
  /** The author's server names only the terms of GoToSocial before 0.19, which does not know the request activities. */
  legacy?: true
}

export type RemoteMediaDraft = {
  type: 'image' | 'gifv' | 'video' | 'audio' | 'unknown'
  contentType?: string | null
  remoteUrl: string
  /** The cover of audio, or the poster of a video. */
  previewRemoteUrl?: string | null
  description?: string | null
  blurhash?: string | null
  meta?: Pick<MediaMeta, 'focus' | 'original'>
}

export type StatusBody = {
  /** As typed; local statuses only. */
  text?: string
  /** Sanitised HTML. */
  content: string
  spoilerText?: string
  sensitive?: boolean
  language?: string | null
  /** The language is missing or a default: the job `languages.detect` looks for it. */
  languageIsAssumed?: boolean
  mentionIds?: readonly string[]
  /** Whether handles could not be resolved: the job `statuses.mentions` tries again. Only of local statuses. */
  hasUnresolved?: boolean
  /** The mentioned accounts of which other readers must not learn. Only of remote statuses. */
  hiddenMentionIds?: readonly string[]
  /** As typed, without `#`. */
  tags?: readonly string[]
  /** Only of remote statuses. */
  emojis?: readonly { shortcode: string; url: string }[]
}

export type PollDraft = {
  options: readonly string[]
  multiple: boolean
  hideTotals: boolean
  /** Null for remote polls that never end. */
  expiresAt: Date | null
  /** The counts of a remote poll's server; absent for local polls. */
  tallies?: readonly number[]
  votersCount?: number | null
}

export type QuoteDraft = {
  /** Null when the quoted status is not stored. */
  statusId: string | null
  /** The ActivityPub id of a remote quoted status. Null when that was deleted. */
  uri: string | null
  state: 'pending' | 'accepted'
  /** The authorization of a remote quoted author. */
  approvalUri?: string | null
}

export type StatusDraft = StatusBody & {
  accountId: string
  visibility: Visibility
  local: boolean
  /** The parent, when it is stored. */
  inReplyToId?: string | null
  appId?: string | null
  poll?: PollDraft | null
  quote?: QuoteDraft | null
  /** Packed: see quotes/policy.ts. */
  quotePolicy?: number
  approval?: 'pending' | null
  /** The author's own uploads that belong to no status yet, in order. */
  mediaIds?: readonly string[]
  /** The ActivityPub id of a remote status. The members below are for remote statuses. */
  uri?: string | null
  url?: string | null
  /** The parent, when it is not stored. */
  inReplyToUri?: string | null
  conversationUri?: string | null
  interactionPolicy?: InteractionPolicy | null
  /** The authorization that a reply names; not verified. */
  approvalUri?: string | null
  remoteMedia?: readonly RemoteMediaDraft[]
  /** For statuses that are fetched: no feeds, notifications or streams, and their parent is not fetched. */
  silent?: boolean
  createdAt?: Date
}
