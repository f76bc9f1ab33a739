// The pictures, videos and sounds of a post.
import type { MediaAttachment } from '../entities/media-attachment.ts'
import type { Poll } from '../entities/poll.ts'
import type { PreviewCard } from '../entities/preview-card.ts'
import type { Status } from '../entities/status.ts'
import { type Html, html, raw, safeUrl } from '../lib/html.ts'
import { emojiHtml, emojiText, nameHtml } from './names.ts'

/** The media of a post as a grid; behind a click when they are sensitive. Null when there is nothing to show. */
export function renderMedia(attachments: readonly MediaAttachment[], sensitive: boolean): Html | null {
  const items = attachments
    .map((medium) => renderItem(medium, attachments.length === 1))
    .filter((item) => item !== null)
  if (items.length === 0) return null
  const grid = html`<ul class="media">${items.map((item) => html`<li>${item}</li>`)}</ul>`
  if (!sensitive) return grid
  return html`<details class="sensitive"><summary><span>Sensitive content</span></summary>${grid}</details>`
}

function renderItem(medium: MediaAttachment, alone: boolean): Html | null {
  const url = safeUrl(medium.url)
  if (!url) return null // still being processed
  const preview = safeUrl(medium.preview_url)
  const description = medium.description?.trim() ?? ''
  const poster = preview && html` poster="${preview}"`
  const label = html`aria-label="${description || NAMES[medium.type]}"`
  switch (medium.type) {
    case 'image':
      return html`<a href="${url}"><img src="${preview ?? url}" alt="${description || 'Picture without a description'}"${size(medium)}${sources(medium, alone)} loading="lazy"></a>`
    case 'gifv':
      return html`<video src="${url}" controls loop muted playsinline preload="metadata" ${label}${poster}></video>`
    case 'video':
      return html`<video src="${url}" controls playsinline preload="metadata" ${label}${poster}></video>`
    case 'audio':
      return html`<audio src="${url}" controls preload="none" ${label}></audio>`
    default:
      return html`<a href="${safeUrl(medium.remote_url) ?? url}" rel="nofollow noopener">${description || 'Attached file'}</a>`
  }
}

const NAMES: Record<MediaAttachment['type'], string> = {
  image: 'Picture without a description',
  gifv: 'Animation without a description',
  video: 'Video without a description',
  audio: 'Sound without a description',
  unknown: 'Attached file',
}

// The small copy where it is large enough, the original on wide and dense screens.
function sources({ url, preview_url, meta }: MediaAttachment, alone: boolean): Html | null {
  const [small, original] = [meta?.small?.width, meta?.original?.width]
  const [preview, full] = [safeUrl(preview_url), safeUrl(url)]
  if (!small || !original || !preview || !full || original <= small) return null
  const sizes = alone ? '(max-width: 44rem) 92vw, 40rem' : '(max-width: 44rem) 46vw, 20rem'
  return html` srcset="${preview} ${small}w, ${full} ${original}w" sizes="${sizes}"`
}

function size({ meta }: MediaAttachment): Html | null {
  const { width, height } = meta?.small ?? meta?.original ?? {}
  return width && height ? html` width="${width}" height="${height}"` : null
}

// What a post asks, and what it quotes.

/** A poll with its results, as far as they are shown. */
export function renderPoll(poll: Poll | null): Html | null {
  if (!poll) return null
  const voters = poll.voters_count ?? poll.votes_count
  const options = poll.options.map(({ title, votes_count: votes }) => {
    const share = votes === null || voters === 0 ? null : Math.round((votes / voters) * 100)
    return html`<li><span dir="auto">${emojiText(title, poll.emojis)}</span>${share !== null && html`<span class="share">${share} %</span><meter min="0" max="100" value="${share}">${share} %</meter>`}</li>`
  })
  const count = `${voters} ${voters === 1 ? 'person' : 'people'} voted`
  return html`<ul class="poll">${options}</ul>
<p class="poll-state">${count} · ${poll.expired ? 'closed' : 'open'}</p>`
}

const PENDING = 'The quoted post is shown here once its author agrees.'
const UNAVAILABLE = 'The quoted post cannot be shown.'

/** What a post quotes, or why it is not shown; null where it quotes nothing. */
export function renderQuote(quote: Status['quote']): Html | null {
  if (!quote) return null
  const quoted = quote.state === 'accepted' ? quote.quoted_status : null
  if (!quoted) return html`<p class="quote-state">${quote.state === 'pending' ? PENDING : UNAVAILABLE}</p>`
  const address = safeUrl(quoted.url ?? quoted.uri)
  const name = nameHtml(quoted.account)
  // Local text was escaped when it was written, remote HTML sanitised when it was received.
  const content =
    quoted.spoiler_text === ''
      ? html`<div class="content" dir="auto">${emojiHtml(raw(quoted.content), quoted.emojis)}</div>${renderMedia(quoted.media_attachments, quoted.sensitive)}`
      : html`<p dir="auto">${emojiText(quoted.spoiler_text, quoted.emojis)}</p>`
  return html`<blockquote class="quoted"><p>${address ? html`<a href="${address}">${name}</a>` : name}</p>${content}</blockquote>`
}

// The preview of what a post links to.

/** A link with its picture, title and the first words. What can be played is played over there. Null when there is nothing to show. */
export function renderCard(card: PreviewCard | null, language: string | null): Html | null {
  const url = safeUrl(card?.url)
  if (!card || !url) return null
  const image = safeUrl(card.image)
  const lang = (card.language ?? language) && html` lang="${card.language ?? language}"`
  const place = card.provider_name || new URL(url).host
  const names = card.authors
    .map(({ name, account }) => account?.display_name || account?.username || name)
    .filter(Boolean)
  return html`<a class="${image ? 'link-card with-picture' : 'link-card'}" href="${url}" rel="nofollow noopener"${lang}>
${image && html`<img src="${image}" alt="${card.image_description}" loading="lazy">`}
<span class="link-card-text"><span class="link-card-place"><bdi>${place}</bdi></span>
<strong dir="auto">${card.title || place}</strong>
${card.description && html`<span class="link-card-words" dir="auto">${card.description}</span>`}
${names.length > 0 && html`<span class="link-card-place">By <bdi>${names.join(', ')}</bdi></span>`}</span></a>`
}
