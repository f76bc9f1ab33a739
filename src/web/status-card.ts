// The preview of what a post links to.

import type { PreviewCard } from '../entities/preview-card.ts'
import { html, safeUrl, type Html } from '../lib/html.ts'

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
