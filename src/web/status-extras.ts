// What a post asks, and what it quotes.

import type { Poll } from '../entities/poll.ts'
import type { Status } from '../entities/status.ts'
import { html, raw, safeUrl, type Html } from '../lib/html.ts'
import { emojiHtml, emojiText, nameHtml } from './emojis.ts'
import { renderMedia } from './status-media.ts'

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
