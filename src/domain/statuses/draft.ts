import type { Visibility } from '../../db/schema.ts'

/** What a policy restricts. Quotes have a policy of their own: quotes/policy.ts. */
export type InteractionKind = 'like' | 'reply' | 'announce'

/** `public`, `followers`, `following` (accounts that the author follows), or URIs of actors. */
export type InteractionRule = { automatic: string[]; manual: string[] }

/** The policy of a remote status. A kind that it does not name is open to everyone who can see the status. */
export type InteractionPolicy = Partial<Record<InteractionKind, InteractionRule>> & {
  /** The author's server names only the terms of GoToSocial before 0.19, which does not know the request activities. */
  legacy?: true
}

/** A medium of a remote post: where it is to be had, and what is known of it. */
export type RemoteMediaDraft = {
  type: 'image' | 'gifv' | 'video' | 'audio' | 'unknown'
  contentType?: string | null
  remoteUrl: string
  description?: string | null
  blurhash?: string | null
  meta?: { focus?: { x: number; y: number }; original?: { width: number; height: number } }
}

/** What makes up a post and may be edited. All values are ready: rendered, resolved, checked. */
export type StatusBody = {
  /** As typed; posts of this server only. */
  text?: string
  /** HTML, sanitised or made by ourselves. */
  content: string
  spoilerText?: string
  sensitive?: boolean
  language?: string | null
  /** The language is the author's default: detection has yet to see the text. */
  languageIsAssumed?: boolean
  /** Accounts that are mentioned. */
  mentionIds?: readonly string[]
  /** Names of hashtags as typed, without `#`. */
  tags?: readonly string[]
  /** Custom emojis that came along with a remote post. */
  emojis?: readonly { shortcode: string; url: string }[]
}

/** A poll before it is one. */
export type PollDraft = {
  options: readonly string[]
  multiple: boolean
  hideTotals: boolean
  /** Null: it never ends, as on some other servers. */
  expiresAt: Date | null
  /** Of remote polls: what their server counted. */
  tallies?: readonly number[]
  votersCount?: number | null
}

/** What a post quotes. */
export type QuoteDraft = {
  /** Where it is known here. */
  statusId: string | null
  /** Of another server. */
  uri: string | null
  state: 'pending' | 'accepted'
  /** The stamp of a quoted author of another server. */
  approvalUri?: string | null
}

/** A post before it is one: where posts of this server and of others meet. */
export type StatusDraft = StatusBody & {
  accountId: string
  visibility: Visibility
  /** Whether the author is of this server. */
  local: boolean
  /** The post answered to, where it is known here. */
  inReplyToId?: string | null
  appId?: string | null
  poll?: PollDraft | null
  quote?: QuoteDraft | null
  /** Who may quote it: quotes/policy.ts. */
  quotePolicy?: number
  /** Whether it is a reply that the author of its parent has to approve first. */
  approval?: 'pending' | null
  /** Own uploads that belong to no post yet, in order. */
  mediaIds?: readonly string[]
  /** Remote posts only, all below. The id by which everybody knows it; a second post of this uri is not made. */
  uri?: string | null
  url?: string | null
  /** The post answered to, where it is not known here. */
  inReplyToUri?: string | null
  conversationUri?: string | null
  interactionPolicy?: InteractionPolicy | null
  /** The authorization that a reply claims to have. */
  approvalUri?: string | null
  remoteMedia?: readonly RemoteMediaDraft[]
  createdAt?: Date
}
