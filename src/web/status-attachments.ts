import type { MediaAttachment } from '../entities/media-attachment.ts'
import type { Poll } from '../entities/poll.ts'
import type { PreviewCard } from '../entities/preview-card.ts'
import type { Status } from '../entities/status.ts'
import { type Html, html, raw, safeUrl } from '../lib/html.ts'
import { fillText } from '../html/texts.ts'
import type { Texts } from '../messages/pages.ts'
import { emojiHtml, emojiText, nameHtml } from './names.ts'

/** Null when there is nothing to show. */
export function renderMedia({ media: t }: Texts, attachments: readonly MediaAttachment[]): Html | null {
  const items = attachments
    .map((attachment) => renderItem(t, attachment, attachments.length === 1))
    .filter((item) => item !== null)
  if (items.length === 0) return null
  return html`<ul class="media">${items.map((item) => html`<li>${item}</li>`)}</ul>`
}

/** The media of a post: sensitive ones are behind a click. Null when there is nothing to show. */
export function renderMediaOf(t: Texts, status: Pick<Status, 'media_attachments' | 'sensitive'>): Html | null {
  const media = renderMedia(t, status.media_attachments)
  if (!media || !status.sensitive) return media
  return html`<details class="sensitive"><summary><span>${t.media.sensitive}</span></summary>${media}</details>`
}

function renderItem(t: Texts['media'], attachment: MediaAttachment, alone: boolean): Html | null {
  const url = safeUrl(attachment.url)
  if (!url) return null // still being processed
  const preview = safeUrl(attachment.preview_url)
  const description = attachment.description?.trim() ?? ''
  const poster = preview && html` poster="${preview}"`
  const label = html`aria-label="${description || t[attachment.type]}"`
  switch (attachment.type) {
    case 'image':
      return html`<a href="${url}"><img src="${preview ?? url}" alt="${description || t.image}"${size(attachment)}${sources(attachment, alone)} loading="lazy"></a>`
    case 'gifv':
      return html`<video src="${url}" controls loop muted playsinline preload="metadata" ${label}${poster}></video>`
    case 'video':
      return html`<video src="${url}" controls playsinline preload="metadata" ${label}${poster}></video>`
    case 'audio':
      return html`<audio src="${url}" controls preload="none" ${label}></audio>`
    default:
      return html`<a href="${safeUrl(attachment.remote_url) ?? url}" rel="nofollow noopener">${description || t.unknown}</a>`
  }
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

export function renderPoll(t: Texts, poll: Poll | null): Html | null {
  if (!poll) return null
  const voters = poll.voters_count ?? poll.votes_count
  const options = poll.options.map(({ title, votes_count: votes }) => {
    const share = votes === null || voters === 0 ? null : Math.round((votes / voters) * 100)
    const percent = share === null ? '' : percentText(t, share / 100)
    return html`<li><span dir="auto">${emojiText(title, poll.emojis)}</span>${share !== null && html`<span class="share">${percent}</span><meter min="0" max="100" value="${share}">${percent}</meter>`}</li>`
  })
  return html`<ul class="poll">${options}</ul>
<p class="poll-state">${t.posts.voters({ count: voters })} · ${poll.expired ? t.posts.poll_closed : t.posts.poll_open}</p>`
}

const percentText = ({ language }: Texts, share: number): string =>
  new Intl.NumberFormat(language, { style: 'percent' }).format(share)

const listText = ({ language }: Texts, items: readonly string[]): string =>
  new Intl.ListFormat(language, { type: 'unit', style: 'short' }).format(items)

/** Says why when the quoted post is not shown. Null for a post without a quote. */
export function renderQuote(t: Texts, quote: Status['quote']): Html | null {
  if (!quote) return null
  const quoted = quote.state === 'accepted' ? quote.quoted_status : null
  if (!quoted)
    return html`<p class="quote-state">${quote.state === 'pending' ? t.posts.quote_pending : t.posts.quote_unavailable}</p>`
  const address = safeUrl(quoted.url ?? quoted.uri)
  const name = nameHtml(quoted.account)
  // Local text was escaped when it was written, remote HTML sanitised when it was received.
  const content =
    quoted.spoiler_text === ''
      ? html`<div class="content" dir="auto">${emojiHtml(raw(quoted.content), quoted.emojis)}</div>${renderMediaOf(t, quoted)}`
      : html`<p dir="auto">${emojiText(quoted.spoiler_text, quoted.emojis)}</p>`
  return html`<blockquote class="quoted"><p>${address ? html`<a href="${address}">${name}</a>` : name}</p>${content}</blockquote>`
}

/** Players open on the linked site. Null when there is nothing to show. */
export function renderCard(t: Texts, card: PreviewCard | null, language: string | null): Html | null {
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
${names.length > 0 && html`<span class="link-card-place">${fillText(t.posts.link_by, { names: html`<bdi>${listText(t, names)}</bdi>` })}</span>`}</span></a>`
}
