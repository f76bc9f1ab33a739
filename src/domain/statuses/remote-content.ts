import type { NoteAttachment } from '../../ap/attachments.ts'
import { groupOf, type PolicyOwner, policyOf } from '../../ap/interaction-policy.ts'
import { type Json, firstObject, idsOf, unescapeText } from '../../ap/normalise.ts'
import type { Note } from '../../ap/note.ts'
import type { Context } from '../../context.ts'
import type { Visibility } from '../../db/schema.ts'
import { escapeHtml } from '../../lib/html.ts'
import { hasTags, htmlToText, sanitizeStatusHtml, withParagraphs } from '../../lib/sanitize.ts'
import { cutText } from '../../lib/text/count.ts'
import { formatText } from '../../lib/text/format.ts'
import type { AccountRow } from '../accounts/find.ts'
import type { MediaMeta } from '../media/attachments.ts'
import { contentTypeOf } from '../media/types.ts'
import { tagUrl } from '../server/addresses.ts'
import type {
  InteractionKind,
  InteractionPolicy,
  InteractionRule,
  PollDraft,
  QuoteDraft,
  RemoteMediaDraft,
} from './draft.ts'
import { findStatusByUri } from './find.ts'
import { findVisibleStatuses } from './visibility.ts'

const MAX_MEDIA = 16
const MAX_TAGS = 30
const MAX_SPOILER_LENGTH = 2000
/** As Mastodon accepts from other servers. Local alt texts are shorter. */
const MAX_DESCRIPTION_LENGTH = 10_000
/** Of all media of a status together, so that a page of the largest statuses stays within ten megabytes. */
const MAX_DESCRIPTIONS_LENGTH = 16_000

/** Other objects are shown by their title, summary or preview, and link, as Mastodon does. */
const isStatus = (note: Note): boolean => ['Note', 'Question', 'ChatMessage'].includes(note.type)

/** Returns sanitised HTML. */
export function noteHtml(ctx: Context, note: Note): string {
  if (isStatus(note))
    return sanitizeStatusHtml(
      withTitle(note, isText(note) ? formatNote(ctx, note) : withParagraphs(note.content ?? '')),
    )
  const title = note.name ? `<h2>${escapeHtml(note.name)}</h2>` : ''
  // Ghost sends only a preview.
  const text = withParagraphs((repeatsTitle(note) ? null : note.summary) || (note.preview ?? ''))
  // Some servers send paragraphs.
  const isBlock = /^\s*<(?:p|div|ul|ol|blockquote|pre|h[1-6])\b/i.test(text)
  const summary = text !== '' && !isBlock ? `<p>${text}</p>` : text
  // The preview card is that of the first link.
  const links = [note.sharedLink, note.url ?? note.id].flatMap((url) => (url === null ? [] : escapeHtml(url)))
  const linked = [...new Set(links)].map((link) => `<p><a href="${link}">${link}</a></p>`)
  return sanitizeStatusHtml(`${title}${summary}${linked.join('')}`)
}

/**
 * Hubzilla and Discourse give notes a title; Smithereen, Mbin and old versions of PieFed ask a poll's question in it. Not shown
 * in a reply with content, where the content begins with it, or where the content warning repeats it, as Lotide's does.
 */
function withTitle(note: Note, content: string): string {
  const title = note.name?.trim() ?? ''
  if (title === '' || title === noteSpoiler(note)) return content
  if (content === '') return `<p>${escapeHtml(title)}</p>`
  const isRepeated = htmlToText(content).trimStart().startsWith(title)
  return note.inReplyTo !== null || isRepeated ? content : `<h2>${escapeHtml(title)}</h2>${content}`
}

/** PeerTube sends comments as Markdown, which is shown as typed. Content with tags is HTML, whatever it is declared as. */
const isText = ({ mediaType, content }: Note): boolean =>
  (mediaType === 'text/markdown' || mediaType === 'text/plain') && content !== null && !hasTags(content)

function formatNote(ctx: Context, note: Note): string {
  const mentions = note.tags.flatMap(({ type, name, href }) => {
    const acct = name.replace(/^@/, '')
    return type === 'Mention' && href !== null ? [[acct.toLowerCase(), { url: href, acct }] as const] : []
  })
  return formatText(note.content ?? '', { mentions: new Map(mentions), tagUrl: (name) => tagUrl(ctx, name) })
}

/** Returns plain text. */
export function noteSpoiler(note: Note): string {
  const isWarning = isStatus(note) && !(note.type === 'Question' && repeatsTitle(note))
  return isWarning ? cutText(unescapeText(note.summary ?? '').trim(), MAX_SPOILER_LENGTH) : ''
}

/** Mbin sends the title as the summary, shortened and with hashtags; Lotide sends it as it is. */
function repeatsTitle({ name, summary }: Note): boolean {
  const words = wordsOf(summary)
  const shown = words.slice(0, words.findLastIndex((word) => !word.startsWith('#')) + 1).join(' ')
  const title = wordsOf(name).join(' ')
  return (
    title !== '' &&
    (shown === title || (shown.length > 3 && shown.endsWith('...') && title.startsWith(shown.slice(0, -3))))
  )
}

const wordsOf = (text: string | null): string[] => (text ?? '').trim().split(/\s+/)

export function hashtagsOf(note: Note): string[] {
  const names = note.tags.filter(({ type }) => type === 'Hashtag').map(({ name }) => name.replace(/^#/, ''))
  return [...new Set(names)].slice(0, MAX_TAGS)
}

export function remoteMediaOf(note: Note): RemoteMediaDraft[] {
  let rest = MAX_DESCRIPTIONS_LENGTH
  return note.attachments.slice(0, MAX_MEDIA).map((attachment) => {
    const type = mediaTypeOf(attachment)
    const description = cutText(attachment.description?.trim() ?? '', Math.min(MAX_DESCRIPTION_LENGTH, rest))
    rest = Math.max(0, rest - description.length)
    return {
      type,
      contentType: attachment.mediaType,
      remoteUrl: attachment.url,
      previewRemoteUrl: type === 'audio' || type === 'video' ? coverOf(attachment) : null,
      description: description || null,
      blurhash: attachment.blurhash,
      meta: {
        ...(attachment.focalPoint ? { focus: { x: attachment.focalPoint[0], y: attachment.focalPoint[1] } } : {}),
        ...measuresOf(attachment, type),
      },
    }
  })
}

function measuresOf(
  { width, height, duration }: NoteAttachment,
  type: RemoteMediaDraft['type'],
): Pick<MediaMeta, 'original'> {
  const original = {
    ...(width && height ? { width, height } : {}),
    ...(duration && (type === 'audio' || type === 'video') ? { duration } : {}),
  }
  return Object.keys(original).length > 0 ? { original } : {}
}

function coverOf({ icon }: NoteAttachment): string | null {
  const isImage = icon !== null && (icon.mediaType === null || icon.mediaType.startsWith('image/'))
  return isImage ? icon.url : null
}

const isMediaFamily = (family: string | undefined): family is 'image' | 'video' | 'audio' =>
  family === 'image' || family === 'video' || family === 'audio'

/** Reads the media type; otherwise the type of the object or the extension of its URL. */
function mediaTypeOf({ type, mediaType, url }: NoteAttachment): RemoteMediaDraft['type'] {
  const { pathname } = new URL(url)
  const named = /\.heic$/i.test(pathname) ? 'image/heic' : contentTypeOf(pathname)
  const families = [mediaType?.split('/')[0], type?.toLowerCase(), named?.split('/')[0]]
  return families.find(isMediaFamily) ?? 'unknown'
}

const MAX_OPTION_LENGTH = 500
const MAX_OPTIONS = 32

/** Stored entries of each list of a policy, and characters of each. */
const MAX_ENTRIES = 50
const MAX_ENTRY_LENGTH = 512

const SUB_POLICIES: readonly [InteractionKind, string][] = [
  ['like', 'canLike'],
  ['reply', 'canReply'],
  ['announce', 'canAnnounce'],
]
/** Property names of GoToSocial since 0.19, and of its older versions. */
const AUTOMATIC = ['automaticApproval', 'always'] as const
const MANUAL = ['manualApproval', 'approvalRequired'] as const

/** Keeps the counts of the remote server. Those of a poll that hides its totals are not sent before its end. */
export function remotePollOf({ poll }: Note): PollDraft | null {
  if (!poll) return null
  const options = poll.options.slice(0, MAX_OPTIONS)
  const isOver = poll.isClosed && (poll.endTime === null || poll.endTime.getTime() > Date.now())
  return {
    options: options.map(({ title }) => cutText(title, MAX_OPTION_LENGTH)),
    tallies: options.map(({ votesCount }) => votesCount ?? 0),
    multiple: poll.multiple,
    hideTotals: options.every(({ votesCount }) => votesCount === null),
    expiresAt: isOver ? new Date() : poll.endTime,
    votersCount: poll.votersCount,
  }
}

/** Packed: see quotes/policy.ts. */
export function remoteQuotePolicyOf(note: Note, author: AccountRow, visibility: Visibility): number {
  const canQuote = firstObject(note.interactionPolicy?.['canQuote'])
  if (canQuote === null || visibility === 'private' || visibility === 'direct') return 0
  return policyOf(canQuote, ownerOf(author))
}

const ownerOf = ({ uri, followers_url, following_url }: AccountRow): PolicyOwner => ({
  id: uri ?? '',
  followers: followers_url,
  following: following_url,
})

/** Null when the policy restricts nothing: see interaction-policy.ts. */
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

/** Null when everyone may interact. Ignores missing and empty lists. */
function ruleOf(subPolicy: Json, author: AccountRow): InteractionRule | null {
  const [automatic, manual] = [entriesOf(subPolicy, AUTOMATIC, author), entriesOf(subPolicy, MANUAL, author)]
  if (automatic.length + manual.length === 0) return null
  if (automatic.includes('public') && manual.length === 0) return null
  return { automatic, manual }
}

/** Puts groups first, so that a long list does not cut them off. */
function entriesOf(subPolicy: Json, names: readonly string[], author: AccountRow): string[] {
  const uris = names.flatMap((name) => idsOf(subPolicy[name])).filter((uri) => uri.length <= MAX_ENTRY_LENGTH)
  const groups = uris.flatMap((uri) => groupOf(uri, ownerOf(author))).filter((group) => group !== 'unsupported_policy')
  const actors = uris.filter((uri) => groupOf(uri, ownerOf(author))[0] === 'unsupported_policy' || uri === author.uri)
  return [...new Set([...groups, ...actors])].slice(0, MAX_ENTRIES)
}

/**
 * Quotes of the author's own statuses are accepted; others stay pending until the quoted author's authorization is verified. A
 * local status that the author may not see is treated as unknown. A deleted one has neither id nor URI, and is accepted.
 */
export async function remoteQuoteOf(ctx: Context, note: Note, authorId: string): Promise<QuoteDraft | null> {
  if (note.quote === null) return note.quotesDeleted ? { statusId: null, uri: null, state: 'accepted' } : null
  const known = await findStatusByUri(ctx, note.quote)
  const isReadable =
    known && (!known.local || (await findVisibleStatuses(ctx, { accountId: authorId }, [known.id])).length > 0)
  const statusId = isReadable && known.reblog_of_id === null ? known.id : null
  const isOwn = statusId !== null && known?.account_id === authorId
  return { statusId, uri: note.quote, state: isOwn ? 'accepted' : 'pending', approvalUri: note.quoteAuthorization }
}
