// The height of the page that shows an embedded post. Other sites request it before they show the page, so it is estimated from
// the post and `html/styles/`. The estimate assumes a wide font: some space may remain, and little is cut off.

import type { MediaAttachment } from '../entities/media-attachment.ts'
import type { Status } from '../entities/status.ts'
import { htmlToText } from '../lib/sanitize.ts'

// In pixels.
const PADDING = 17
const LINE = 30
const GAP = 14
const PARAGRAPH_GAP = 16
const LETTER = 10
const CAPITAL = 14
const IDEOGRAPH = 18.5
const MAX_MEDIA_HEIGHT = 512
const SENSITIVE_COVER = 176
const AUDIO = 54

/** Hidden parts of links, and the address of a quoted post, which is shown itself. */
const HIDDEN = /<span class="invisible">[^<]*<\/span>|^<p class="quote-inline">.*?<\/p>/g

type Post = Pick<Status, 'content' | 'spoiler_text' | 'media_attachments' | 'sensitive'>

/** In pixels, for a frame of that width. */
export function embedHeight(status: Status, width: number): number {
  const inner = Math.max(120, width - 2 * PADDING)
  // Author, counts, date and the link to the server. Counts take two lines in narrow frames, as an edited date does.
  const frame = 208 + (width < 290 ? 53 : 0) + (status.edited_at ? LINE : 0) + (status.in_reply_to_id ? LINE : 0)
  return Math.round(frame + bodyHeight(status, inner) + (status.spoiler_text ? 0 : extrasHeight(status, inner)))
}

/** A content warning hides the rest of the body. */
function bodyHeight({ content, spoiler_text, media_attachments, sensitive }: Post, width: number): number {
  if (spoiler_text) return textHeight(spoiler_text, width - 2 * GAP) + 20
  return textHeight(htmlToText(content.replace(HIDDEN, '')), width) + mediaHeight(media_attachments, sensitive, width)
}

function extrasHeight({ poll, quote, card }: Status, width: number): number {
  let height = 0
  for (const { title } of poll?.options ?? []) height += 13 + textHeight(title, width - 50)
  if (poll) height += GAP + LINE
  const quoted = quote && 'quoted_status' in quote ? quote.quoted_status : null
  if (quoted) height += 66 + bodyHeight(quoted, width - 2 * PADDING)
  else if (quote) height += GAP + 3 * LINE
  if (card) height += card.description ? 180 : 140
  return height
}

function mediaHeight(media: readonly MediaAttachment[], sensitive: boolean, width: number): number {
  const [first] = media
  if (!first) return 0
  if (sensitive) return GAP + SENSITIVE_COVER
  if (media.length > 1) return GAP + Math.ceil(media.length / 2) * (width / 2) * 0.75
  if (first.type === 'audio') return GAP + AUDIO
  const { width: across, height: down } = first.meta?.small ?? first.meta?.original ?? {}
  return GAP + Math.min(width * (across && down ? down / across : 0.75), MAX_MEDIA_HEIGHT)
}

function textHeight(text: string, width: number): number {
  if (!text) return 0
  return text.split('\n').reduce((sum, line) => sum + (line ? rows(line, width) * LINE : PARAGRAPH_GAP), 0)
}

/** The rows that a line of text takes: it is broken between words, and within words that are wider than a row. */
function rows(line: string, width: number): number {
  let count = 1
  let used = 0
  for (const word of line.split(' ')) {
    const size = textWidth(word)
    if (used > 0 && used + size > width) {
      count++
      used = 0
    }
    count += Math.floor(size / width)
    used += (size % width) + LETTER / 2
  }
  return count
}

function textWidth(text: string): number {
  let width = 0
  for (const letter of text) width += letterWidth(letter)
  return width
}

function letterWidth(letter: string): number {
  if (/[\u1100-\uffdc]|\p{Extended_Pictographic}/u.test(letter)) return IDEOGRAPH
  return /\p{Lu}/u.test(letter) ? CAPITAL : LETTER
}
