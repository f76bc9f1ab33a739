// The pictures, videos and sounds of a post.

import type { MediaAttachment } from '../entities/media-attachment.ts'
import { html, safeUrl, type Html } from '../lib/html.ts'

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
