import type { NoteAttachment } from '../../ap/attachments.ts'
import type { Note } from '../../ap/note.ts'
import { escapeHtml } from '../../lib/html.ts'
import { sanitizeStatusHtml } from '../../lib/sanitize.ts'
import { cutText } from '../../lib/text/count.ts'
import type { RemoteMediaDraft } from './draft.ts'

const MOST_MEDIA = 16
const MOST_TAGS = 30
const LONGEST_SPOILER = 2000
const LONGEST_DESCRIPTION = 1500

/** What is a post of its own. Other things are shown by their title, summary and address, as Mastodon does. */
const isPost = (note: Note): boolean => note.type === 'Note' || note.type === 'Question'

/** The safe HTML of a remote post. */
export function contentOf(note: Note): string {
  if (isPost(note)) return sanitizeStatusHtml(note.content ?? '')
  const link = escapeHtml(note.url ?? note.id)
  const title = note.name ? `<h2>${escapeHtml(note.name)}</h2>` : ''
  // Some write it as paragraphs already.
  const isBlock = /^\s*<(?:p|div|ul|ol|blockquote|pre|h[1-6])\b/i.test(note.summary ?? '')
  const summary = note.summary && !isBlock ? `<p>${note.summary}</p>` : (note.summary ?? '')
  return sanitizeStatusHtml(`${title}${summary}<p><a href="${link}">${link}</a></p>`)
}

/** The content warning: plain text. */
export function spoilerOf(note: Note): string {
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
