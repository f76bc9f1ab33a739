// What is being written. Plain values, so that it can be stored on this device.
import type { Account, MediaAttachment, Preferences, Status } from '../api/entities.ts'
import { quotedStatus } from '../state/statuses.ts'
import { VISIBILITIES } from '../statuses/visibility.tsx'
import type { ComposeRequest } from './open.ts'

type Visibility = Status['visibility']
/** The widest first. */
export const QUOTE_POLICIES = ['public', 'followers', 'nobody'] as const
export type QuotePolicy = (typeof QUOTE_POLICIES)[number]

export type DraftMedia = {
  key: string
  name: string
  kind: 'image' | 'video' | 'audio'
  /** As uploaded; null until then. The file is in the store of files under `key`. */
  attachment: MediaAttachment | null
  description: string
  /** From -1 (left, bottom) to 1 (right, top). */
  focus: { x: number; y: number } | null
}

export type DraftPoll = { options: string[]; expiresIn: number; multiple: boolean; hideTotals: boolean }

/** One post of a thread. */
export type DraftPost = {
  /** Its Idempotency-Key, so that it is posted once. */
  key: string
  text: string
  /** The content warning; null for none. */
  warning: string | null
  sensitive: boolean
  media: DraftMedia[]
  poll: DraftPoll | null
}

export type Draft = {
  id: string
  /** The account that owns the draft. Other accounts on this device do not see it. */
  accountId: string
  changedAt: number
  posts: DraftPost[]
  inReplyTo: Status | null
  quote: Status | null
  /** The status that the draft edits. */
  edited: Status | null
  visibility: Visibility
  quotePolicy: QuotePolicy
  /** Null: detected from the text. */
  language: string | null
  /** The time at which the server posts it, as an ISO date. */
  scheduledAt: string | null
  /** `queued`: to be sent as soon as there is a network; `refused`: the server did not take it, `error` says why. */
  state: 'draft' | 'queued' | 'refused'
  error: string | null
  /** The content that was sent without an answer, so that it may have been posted; null for none. */
  attempted: Attempt | null
  /** An earlier content that may have been posted, before the draft was changed. */
  earlier: Attempt | null
}

/** `at`: milliseconds. */
type Attempt = { content: string; at: number }

/** The server answers a known key with the post that it made then, so a changed post needs a new one. */
export function withFreshKeys(draft: Draft): Draft {
  const { attempted } = draft
  if (!attempted || attempted.content === contentOf(draft)) return draft
  return {
    ...draft,
    posts: draft.posts.map((post) => ({ ...post, key: randomKey() })),
    attempted: null,
    earlier: draft.earlier ?? attempted,
  }
}

/** The draft as it was when it may have been posted, before it was changed. */
export function earlierVersion(draft: Draft): Draft | null {
  const { earlier } = draft
  if (!earlier) return null
  const [posts, visibility, quotePolicy, language, scheduledAt] = JSON.parse(earlier.content) as Content
  return { ...draft, posts, visibility, quotePolicy, language, scheduledAt, attempted: earlier }
}

/** Notes that the content may have been posted. Keeps the time of the first attempt, an hour after which the server drops the key. */
export function asAttempted(draft: Draft): Draft {
  const content = contentOf(draft)
  if (draft.attempted?.content === content) return draft
  return { ...draft, attempted: { content, at: Date.now() } }
}

/** A random name. `crypto.randomUUID` is missing on addresses without TLS. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

export const emptyPost = (text = ''): DraftPost => ({
  key: randomKey(),
  text,
  warning: null,
  sensitive: false,
  media: [],
  poll: null,
})

/** The narrower one of two. */
export const narrower = (a: Visibility, b: Visibility): Visibility =>
  VISIBILITIES.indexOf(a) > VISIBILITIES.indexOf(b) ? a : b

export type Author = { me: Pick<Account, 'id' | 'acct'>; preferences: Preferences }

/** A new draft, with what a reply, a quote or a status written again takes over. */
export function draftOf(request: ComposeRequest, { me, preferences }: Author): Draft {
  const { inReplyTo = null, quote = null, edit = null, deleted, text = '' } = request
  const preferred = preferences['posting:default:visibility'] as Visibility
  const again = edit ?? deleted
  const visibility = again?.visibility ?? request.visibility ?? preferred
  const post = again
    ? postOf(again, deleted?.text ?? '')
    : emptyPost(inReplyTo ? mentionsFor(inReplyTo, me) + text : text)
  if (inReplyTo && !again) post.warning = inReplyTo.spoiler_text || null
  else post.sensitive ||= !again && preferences['posting:default:sensitive']
  return {
    id: randomKey(),
    accountId: me.id,
    changedAt: Date.now(),
    posts: [post],
    inReplyTo,
    quote: quote ?? (again ? quotedStatus(again) : null),
    edited: edit,
    visibility: [inReplyTo, quote].reduce(
      (widest, each) => (each ? narrower(widest, each.visibility) : widest),
      visibility,
    ),
    quotePolicy: again ? policyOf(again) : (preferences['posting:default:quote_policy'] as QuotePolicy),
    language: again?.language ?? null,
    scheduledAt: null,
    state: 'draft',
    error: null,
    attempted: null,
    earlier: null,
  }
}

/** The mentions that a reply begins with: the author first, and not the viewer. */
function mentionsFor(status: Status, me: Pick<Account, 'acct'>): string {
  const handles = [status.account.acct, ...status.mentions.map(({ acct }) => acct)].filter((acct) => acct !== me.acct)
  return [...new Set(handles)].map((acct) => `@${acct} `).join('')
}

function postOf(status: Status, text: string): DraftPost {
  return {
    ...emptyPost(text),
    warning: status.spoiler_text || null,
    sensitive: status.sensitive,
    media: status.media_attachments.map(mediaOf),
    poll: pollOf(status),
  }
}

function pollOf(status: Status): DraftPoll | null {
  const { poll } = status
  return (
    poll && {
      options: poll.options.map(({ title }) => title),
      expiresIn: pollDuration(status),
      multiple: poll.multiple,
      // The API does not say it otherwise, and no longer once the poll has ended.
      hideTotals: poll.options.some(({ votes_count: votes }) => votes === null),
    }
  )
}

/** Whether an edit keeps the poll. A different poll starts without votes. */
export function isSamePoll({ edited }: Draft, { options, multiple }: DraftPoll): boolean {
  const before = edited?.poll
  const filled = options.map((option) => option.trim()).filter(Boolean)
  return before?.multiple === multiple && before.options.map(({ title }) => title).join('\n') === filled.join('\n')
}

/** Whether an edit keeps the end of the poll. A different poll also has a new end. */
export const keepsEnd = (draft: Draft, poll: DraftPoll): boolean =>
  draft.edited !== null && isSamePoll(draft, poll) && poll.expiresIn === pollDuration(draft.edited)

export const mediaOf = (attachment: MediaAttachment): DraftMedia => ({
  key: randomKey(),
  name: '',
  kind: attachment.type === 'video' || attachment.type === 'audio' ? attachment.type : 'image',
  attachment,
  description: attachment.description ?? '',
  focus: focusOf(attachment),
})

function focusOf({ meta }: MediaAttachment): DraftMedia['focus'] {
  const { x = null, y = null } = meta?.focus ?? {}
  return x === null || y === null ? null : { x, y }
}

/** Seconds between the post and the end of its poll. */
function pollDuration({ poll, created_at: created }: Status): number {
  if (!poll?.expires_at) return 86_400
  return Math.max(300, Math.round((Date.parse(poll.expires_at) - Date.parse(created)) / 1000))
}

function policyOf({ quote_approval: { automatic } }: Status): QuotePolicy {
  if (automatic.includes('public')) return 'public'
  return automatic.includes('followers') ? 'followers' : 'nobody'
}

export const isEmptyPost = (post: DraftPost): boolean =>
  post.text.trim() === '' && !post.warning?.trim() && post.media.length === 0 && !hasOptions(post)

const hasOptions = ({ poll }: DraftPost): boolean => poll?.options.some((option) => option.trim() !== '') === true

/** Whether two drafts have the same content. */
export const isSameDraft = (a: Draft, b: Draft): boolean => contentOf(a) === contentOf(b)

type Content = [DraftPost[], Visibility, QuotePolicy, string | null, string | null, quoteId?: string]

/** The content of a draft as one text. An upload that ends does not change it. */
export const contentOf = ({ posts, visibility, quotePolicy, language, scheduledAt, quote }: Draft): string => {
  const posted = posts.map((post) => ({ ...post, media: post.media.map((media) => ({ ...media, attachment: null })) }))
  const content: Content = [posted, visibility, quotePolicy, language, scheduledAt]
  if (quote) content.push(quote.id)
  return JSON.stringify(content)
}
