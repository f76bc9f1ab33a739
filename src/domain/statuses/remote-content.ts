import type { NoteAttachment } from '../../ap/attachments.ts'
import { isPublic } from '../../ap/audience.ts'
import { type Json, firstObject, idsOf } from '../../ap/normalise.ts'
import type { Note } from '../../ap/note.ts'
import type { Context } from '../../context.ts'
import type { Visibility } from '../../db/schema.ts'
import type { AccountRow } from '../accounts/find.ts'
import type {
  InteractionKind,
  InteractionPolicy,
  InteractionRule,
  PollDraft,
  QuoteDraft,
  RemoteMediaDraft,
} from './draft.ts'
import { findStatusByUri } from './find.ts'
import { type PolicyGroup, packPolicy } from './quotes/policy.ts'
import { findVisibleStatuses } from './visibility.ts'
import { escapeHtml } from '../../lib/html.ts'
import { sanitizeStatusHtml } from '../../lib/sanitize.ts'
import { cutText } from '../../lib/text/count.ts'

const MOST_MEDIA = 16
const MOST_TAGS = 30
const LONGEST_SPOILER = 2000
const LONGEST_DESCRIPTION = 1500

/** What is a post of its own. Other things are shown by their title, summary and address, as Mastodon does. */
const isPost = (note: Note): boolean => note.type === 'Note' || note.type === 'Question'

/** The safe HTML of a remote post. */
export function noteHtml(note: Note): string {
  if (isPost(note)) return sanitizeStatusHtml(note.content ?? '')
  const link = escapeHtml(note.url ?? note.id)
  const title = note.name ? `<h2>${escapeHtml(note.name)}</h2>` : ''
  // Some write it as paragraphs already.
  const isBlock = /^\s*<(?:p|div|ul|ol|blockquote|pre|h[1-6])\b/i.test(note.summary ?? '')
  const summary = note.summary && !isBlock ? `<p>${note.summary}</p>` : (note.summary ?? '')
  return sanitizeStatusHtml(`${title}${summary}<p><a href="${link}">${link}</a></p>`)
}

/** The content warning: plain text. */
export function noteSpoiler(note: Note): string {
  return isPost(note) ? cutText((note.summary ?? '').trim(), LONGEST_SPOILER) : ''
}

/** Names of hashtags, without `#`. */
export function hashtagsOf(note: Note): string[] {
  const names = note.tags.filter(({ type }) => type === 'Hashtag').map(({ name }) => name.replace(/^#/, ''))
  return [...new Set(names)].slice(0, MOST_TAGS)
}

/** The files of a remote post, in order. */
export function remoteMediaOf(note: Note): RemoteMediaDraft[] {
  return note.attachments.slice(0, MOST_MEDIA).map((attachment) => ({
    type: mediaTypeOf(attachment),
    contentType: attachment.mediaType,
    remoteUrl: attachment.url,
    description: attachment.description === null ? null : cutText(attachment.description.trim(), LONGEST_DESCRIPTION),
    blurhash: attachment.blurhash,
    meta: {
      ...(attachment.focalPoint ? { focus: { x: attachment.focalPoint[0], y: attachment.focalPoint[1] } } : {}),
      ...(attachment.width && attachment.height
        ? { original: { width: attachment.width, height: attachment.height } }
        : {}),
    },
  }))
}

const EXTENSIONS: Record<string, RemoteMediaDraft['type']> = {
  jpg: 'image',
  jpeg: 'image',
  png: 'image',
  gif: 'image',
  webp: 'image',
  avif: 'image',
  heic: 'image',
  mp4: 'video',
  m4v: 'video',
  webm: 'video',
  mov: 'video',
  mp3: 'audio',
  ogg: 'audio',
  oga: 'audio',
  flac: 'audio',
  wav: 'audio',
  opus: 'audio',
  m4a: 'audio',
}

function mediaTypeOf({ type, mediaType, url }: NoteAttachment): RemoteMediaDraft['type'] {
  const [family] = (mediaType ?? '').split('/')
  if (family === 'image' || family === 'video' || family === 'audio') return family
  if (type === 'Image') return 'image'
  if (type === 'Video') return 'video'
  if (type === 'Audio') return 'audio'
  return EXTENSIONS[new URL(url).pathname.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'unknown'
}

/** Cut by characters as people count them roughly: never through the middle of one code point. */

const LONGEST_OPTION = 500
const MOST_OPTIONS = 32

/** What is kept of each list of a policy: so many entries, of so many characters. */
const POLICY_ENTRIES = 50
const LONGEST_ENTRY = 512

const SUB_POLICIES: readonly [InteractionKind, string][] = [
  ['like', 'canLike'],
  ['reply', 'canReply'],
  ['announce', 'canAnnounce'],
]
/** The terms of GoToSocial since 0.19, and those before. */
const AUTOMATIC = ['automaticApproval', 'always'] as const
const MANUAL = ['manualApproval', 'approvalRequired'] as const

/** The poll of a remote post, with the votes that its server counted; null where it has none. */
export function remotePollOf({ poll }: Note): PollDraft | null {
  if (!poll) return null
  const options = poll.options.slice(0, MOST_OPTIONS)
  const end = poll.endTime?.getTime() ?? null
  const isOver = poll.isClosed && (end === null || end > Date.now())
  return {
    options: options.map(({ title }) => cutText(title, LONGEST_OPTION)),
    tallies: options.map(({ votesCount }) => votesCount),
    multiple: poll.multiple,
    hideTotals: false,
    expiresAt: isOver ? new Date() : end === null ? null : new Date(end),
    votersCount: poll.votersCount,
  }
}

/** Who may quote a remote post, as its author says: quotes/policy.ts. */
export function remotePolicyOf(note: Note, author: AccountRow, visibility: Visibility): number {
  const canQuote = firstObject(note.interactionPolicy?.['canQuote'])
  if (canQuote === null || visibility === 'private' || visibility === 'direct') return 0
  const groups = (...names: string[]): PolicyGroup[] =>
    names.flatMap((name) => idsOf(canQuote[name]).flatMap((uri) => groupOf(uri, author)))
  return packPolicy(groups('automaticApproval', 'always'), groups('manualApproval', 'approvalRequired'))
}

function groupOf(uri: string, author: AccountRow): PolicyGroup[] {
  if (isPublic(uri)) return ['public']
  if (uri === author.followers_url) return ['followers']
  if (uri === author.following_url) return ['following']
  return uri === author.uri ? [] : ['unsupported_policy']
}

/** Who may favourite, answer and boost a remote post, as its author says: interaction-policy.ts. Null: no restrictions. */
export function remoteInteractionPolicyOf(
  { interactionPolicy: sent }: Note,
  author: AccountRow,
): InteractionPolicy | null {
  const rules = SUB_POLICIES.flatMap(([kind, name]) => {
    const subPolicy = firstObject(sent?.[name])
    const rule = subPolicy && ruleOf(subPolicy, author)
    return rule ? [[kind, rule, AUTOMATIC[0] in subPolicy || MANUAL[0] in subPolicy] as const] : []
  })
  if (rules.length === 0) return null
  const isCurrent = rules.some(([, , current]) => current)
  return { ...Object.fromEntries(rules.map(([kind, rule]) => [kind, rule])), ...(isCurrent ? {} : { legacy: true }) }
}

/** Null where everyone may; lists that are missing or empty say nothing. */
function ruleOf(subPolicy: Json, author: AccountRow): InteractionRule | null {
  const [automatic, manual] = [entriesOf(subPolicy, AUTOMATIC, author), entriesOf(subPolicy, MANUAL, author)]
  if (automatic.length + manual.length === 0) return null
  if (automatic.includes('public') && manual.length === 0) return null
  return { automatic, manual }
}

/** Collections come first, so that no length of the list cuts them off. */
function entriesOf(subPolicy: Json, names: readonly string[], author: AccountRow): string[] {
  const uris = names.flatMap((name) => idsOf(subPolicy[name])).filter((uri) => uri.length <= LONGEST_ENTRY)
  const groups = uris.flatMap((uri) => groupOf(uri, author)).filter((group) => group !== 'unsupported_policy')
  const actors = uris.filter((uri) => groupOf(uri, author)[0] === 'unsupported_policy' || uri === author.uri)
  return [...new Set([...groups, ...actors])].slice(0, POLICY_ENTRIES)
}

/**
 * What a remote post quotes. Of oneself one may quote anything; otherwise it is pending until the quoted author is known to
 * agree. A post of this server that the author cannot read is treated as one that is not known.
 */
export async function remoteQuoteOf(ctx: Context, note: Note, authorId: string): Promise<QuoteDraft | null> {
  if (note.quote === null) return null
  const known = await findStatusByUri(ctx, note.quote)
  const isReadable =
    known && (!known.local || (await findVisibleStatuses(ctx, { accountId: authorId }, [known.id])).length > 0)
  const statusId = isReadable && known.reblog_of_id === null ? known.id : null
  const isOwn = statusId !== null && known?.account_id === authorId
  return { statusId, uri: note.quote, state: isOwn ? 'accepted' : 'pending', approvalUri: note.quoteAuthorization }
}
