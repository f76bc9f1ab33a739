// What a post asks, and what it quotes.

import type { Poll } from '../entities/poll.ts'
import type { Status } from '../entities/status.ts'
import { html, raw, safeUrl, type Html } from '../lib/html.ts'
import { emojiHtml, emojiText, nameHtml } from './emojis.ts'

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

/** What a post quotes, in short; null where it quotes nothing, or it is not to be shown. */
export function renderQuote(quote: Status['quote']): Html | null {
  const quoted = quote?.state === 'accepted' ? quote.quoted_status : null
  if (!quoted) return null
  const address = safeUrl(quoted.url ?? quoted.uri)
  const name = nameHtml(quoted.account)
  // Local text was escaped when it was written, remote HTML sanitised when it was received.
  const content =
    quoted.spoiler_text === ''
      ? html`<div class="content" dir="auto">${emojiHtml(raw(quoted.content), quoted.emojis)}</div>`
      : html`<p dir="auto">${emojiText(quoted.spoiler_text, quoted.emojis)}</p>`
  return html`<blockquote class="quoted"><p>${address ? html`<a href="${address}">${name}</a>` : name}</p>${content}</blockquote>`
}
