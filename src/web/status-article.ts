// One post, as it stands on any page.

import type { Context } from '../context.ts'
import type { Account } from '../entities/account.ts'
import type { Status } from '../entities/status.ts'
import { dayText, english, longDate, numberText } from '../html/texts.ts'
import { html, raw, safeUrl, type Html } from '../lib/html.ts'
import { emojiHtml, emojiText, handleOf, nameHtml, nameOf } from './names.ts'
import { renderCard, renderMedia, renderPoll, renderQuote } from './status-attachments.ts'

export type ArticleOptions = {
  /** The post that the page is about: larger, with its full date and all counters. */
  main?: boolean
  pinned?: boolean
}

type Post = Omit<Status, 'reblog'>

/** A post; a boost shows the post it boosts. */
export function renderStatus(
  ctx: Context,
  status: Status,
  { main = false, pinned = false }: ArticleOptions = {},
): Html {
  const post: Post = status.reblog ?? status
  const label = `Post by ${nameOf(post.account)}, ${longDate(english, new Date(post.created_at))}`
  return html`<article class="${main ? 'status main' : 'status'}" aria-label="${label}">
${contextLine(status, pinned)}
${audience(post)}
${header(ctx, post, main)}
${body(post)}
${footer(post, main)}
</article>`
}

function contextLine(status: Status, pinned: boolean): Html | null {
  if (status.reblog)
    return html`<p class="status-context"><span aria-hidden="true">⇄</span><span>${nameHtml(status.account)} boosted</span></p>`
  if (pinned) return html`<p class="status-context"><span aria-hidden="true">⚲</span>Pinned</p>`
  const parent = status.in_reply_to_account_id
  if (parent === null) return null
  if (parent === status.account.id)
    return html`<p class="status-context"><span aria-hidden="true">↳</span>Continues a thread</p>`
  const mention = status.mentions.find(({ id }) => id === parent)
  return html`<p class="status-context"><span aria-hidden="true">↳</span>${mention ? `In reply to @${mention.acct}` : 'A reply'}</p>`
}

/** Whom a post is for, where that is not everybody. */
function audience({ visibility }: Post): Html | null {
  if (visibility === 'private') return html`<p class="status-context">For followers only</p>`
  return visibility === 'direct' ? html`<p class="status-context">For those it mentions only</p>` : null
}

function header(ctx: Context, { account, created_at, url, uri }: Post, main: boolean): Html {
  const address = safeUrl(url ?? uri)
  const time = html`<time datetime="${created_at}" title="${longDate(english, new Date(created_at))}">${ageOf(created_at)}</time>`
  return html`<header>
<img class="avatar" src="${account.avatar}" alt="" width="48" height="48" loading="lazy">
<div class="names"><a class="name" href="${safeUrl(account.url) ?? '/'}">${nameHtml(account)}</a><span class="handle">${handleOf(ctx, account)}</span></div>
${!main && (address ? html`<a class="time" href="${address}">${time}</a>` : time)}
</header>`
}

function body(post: Post): Html {
  const lang = post.language && html` lang="${post.language}"`
  // Local text was escaped when it was written, remote HTML sanitised when it was received.
  const content =
    post.content && html`<div class="content"${lang} dir="auto">${emojiHtml(raw(post.content), post.emojis)}</div>`
  const extras = [renderPoll(post.poll), renderQuote(post.quote), renderCard(post.card, post.language)]
  if (post.spoiler_text === '') return html`${content}${extras}${renderMedia(post.media_attachments, post.sensitive)}`
  return html`<details class="warning"><summary><span class="visually-hidden">Content warning: </span><bdi${lang}>${emojiText(post.spoiler_text, post.emojis)}</bdi></summary>
${content}${extras}${renderMedia(post.media_attachments, false)}</details>`
}

function footer(post: Post, main: boolean): Html | null {
  const counts = [
    count(post.replies_count, 'reply', 'replies', main),
    count(post.reblogs_count, 'boost', 'boosts', main),
    count(post.favourites_count, 'favourite', 'favourites', main),
  ]
  const edited =
    post.edited_at &&
    html`Edited <time datetime="${post.edited_at}" title="${longDate(english, new Date(post.edited_at))}">${agoOf(post.edited_at)}</time>`
  const written =
    main && html`<time datetime="${post.created_at}">${longDate(english, new Date(post.created_at))}</time>`
  const hasCounts = counts.some((item) => item !== null)
  if (!hasCounts && !edited) return null
  return html`<footer>${hasCounts && html`<ul class="counts">${counts}</ul>`}<span>${written}${written && edited && ' · '}${edited}</span></footer>`
}

function count(number: number, one: string, many: string, evenNone: boolean): Html | null {
  if (number === 0 && !evenNone) return null
  return html`<li><strong>${numberText(english, number)}</strong> ${number === 1 ? one : many}</li>`
}

/** How long ago, in short: `5 min`, `3 h`, and the date from a day on. */
function ageOf(instant: string, now = Date.now()): string {
  const minutes = Math.floor((now - Date.parse(instant)) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h` : dayText(english, new Date(instant))
}

/** The same in a sentence: `just now`, `5 min ago`, and the date from a day on. */
function agoOf(instant: string): string {
  const age = ageOf(instant)
  if (age === 'now') return 'just now'
  return / (min|h)$/.test(age) ? `${age} ago` : age
}
