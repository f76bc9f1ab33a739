import type { Context } from '../context.ts'
import type { Status } from '../entities/status.ts'
import { dayText, longDate, numberText, fillText } from '../html/texts.ts'
import { html, raw, safeUrl, type Html } from '../lib/html.ts'
import type { Texts } from '../messages/pages.ts'
import { emojiHtml, emojiText, handleOf, nameHtml, nameOf } from './names.ts'
import { renderCard, renderMedia, renderMediaOf, renderPoll, renderQuote } from './status-attachments.ts'

export type ArticleOptions = {
  /** The post that the page is about: larger, with its full date and all counters. */
  main?: boolean
  pinned?: boolean
}

type Post = Omit<Status, 'reblog'>

export function renderStatus(
  t: Texts,
  ctx: Context,
  status: Status,
  { main = false, pinned = false }: ArticleOptions = {},
): Html {
  const post: Post = status.reblog ?? status
  const label = t.posts.label({ name: nameOf(post.account), date: longDate(t, new Date(post.created_at)) })
  return html`<article class="${main ? 'status main' : 'status'}" aria-label="${label}">
${contextLine(t, status, pinned)}
${audience(t, post)}
${header(t, ctx, post, main)}
${body(t, post)}
${footer(t, post, main)}
</article>`
}

function contextLine({ posts: t }: Texts, status: Status, pinned: boolean): Html | null {
  const line = (sign: string, text: Html | string): Html =>
    html`<p class="status-context"><span aria-hidden="true">${sign}</span><span>${text}</span></p>`
  if (status.reblog) return line('⇄', fillText(t.boosted, { name: nameHtml(status.account) }))
  if (pinned) return line('⚲', t.pinned)
  const parent = status.in_reply_to_account_id
  if (parent === null) return null
  if (parent === status.account.id) return line('↳', t.thread)
  const mention = status.mentions.find(({ id }) => id === parent)
  return line('↳', mention ? t.in_reply_to({ handle: `@${mention.acct}` }) : t.reply)
}

function audience({ posts: t }: Texts, { visibility }: Post): Html | null {
  if (visibility === 'private') return html`<p class="status-context">${t.followers_only}</p>`
  return visibility === 'direct' ? html`<p class="status-context">${t.private_mention}</p>` : null
}

function header(t: Texts, ctx: Context, { account, created_at, url, uri }: Post, main: boolean): Html {
  const address = safeUrl(url ?? uri)
  const date = new Date(created_at)
  const time = html`<time datetime="${created_at}" title="${longDate(t, date)}">${ageText(t, date)}</time>`
  return html`<header>
<img class="avatar" src="${account.avatar}" alt="" width="48" height="48" loading="lazy">
<div class="names"><a class="name" href="${safeUrl(account.url) ?? '/'}">${nameHtml(account)}</a> <span class="handle"><bdi>${handleOf(ctx, account)}</bdi></span></div>
${!main && (address ? html`<a class="time" href="${address}">${time}</a>` : time)}
</header>`
}

function body(t: Texts, post: Post): Html {
  const lang = post.language && html` lang="${post.language}"`
  // Local text was escaped when it was written, remote HTML sanitised when it was received.
  const content =
    post.content && html`<div class="content"${lang} dir="auto">${emojiHtml(raw(post.content), post.emojis)}</div>`
  const extras = [renderPoll(t, post.poll), renderQuote(t, post.quote), renderCard(t, post.card, post.language)]
  if (post.spoiler_text === '') return html`${content}${extras}${renderMediaOf(t, post)}`
  return html`<details class="warning"><summary><span class="visually-hidden">${t.posts.content_warning} </span><bdi${lang}>${emojiText(post.spoiler_text, post.emojis)}</bdi></summary>
${content}${extras}${renderMedia(t, post.media_attachments)}</details>`
}

function footer(t: Texts, post: Post, main: boolean): Html | null {
  const { reply_count, boost_count, favourite_count } = t.posts
  const counts = [
    [post.replies_count, reply_count] as const,
    [post.reblogs_count, boost_count] as const,
    [post.favourites_count, favourite_count] as const,
  ].filter(([count]) => count > 0 || main)
  const edited = post.edited_at && fillText(t.posts.edited, { when: editedTime(t, post.edited_at) })
  const written = main && html`<time datetime="${post.created_at}">${longDate(t, new Date(post.created_at))}</time>`
  if (counts.length === 0 && !edited) return null
  const items = counts.map(([count, text]) => html`<li>${countHtml(t, count, text)}</li>`)
  return html`<footer>${items.length > 0 && html`<ul class="counts">${items}</ul>`}<span>${written}${written && edited && ' · '}${edited}</span></footer>`
}

/** A text with its number in bold: `**12** posts`. */
export function countHtml(t: Texts, count: number, text: (params: { count: number }) => string): Html {
  return fillText(text({ count }), { number: html`<strong>${numberText(t, count)}</strong>` })
}

function editedTime(t: Texts, instant: string): Html {
  const date = new Date(instant)
  return html`<time datetime="${instant}" title="${longDate(t, date)}">${agoText(t, date)}</time>`
}

/** How long ago, and the date from a day on. */
function agoText(t: Texts, date: Date): string {
  const age = ageOf(date)
  if (!age) return dayText(t, date)
  if (age.value === 0) return t.posts.just_now
  return new Intl.RelativeTimeFormat(t.language, { style: 'short' }).format(-age.value, age.unit)
}

/** How long ago, in short: `5m`, `3h`, and the date from a day on. */
function ageText(t: Texts, date: Date): string {
  const age = ageOf(date)
  if (!age) return dayText(t, date)
  if (age.value === 0) return t.posts.now
  return new Intl.NumberFormat(t.language, { style: 'unit', unit: age.unit, unitDisplay: 'narrow' }).format(age.value)
}

/** Null from a day on. */
function ageOf(date: Date): { value: number; unit: 'minute' | 'hour' } | null {
  const minutes = Math.max(0, Math.floor((Date.now() - date.getTime()) / 60_000))
  if (minutes >= 24 * 60) return null
  return minutes < 60 ? { value: minutes, unit: 'minute' } : { value: Math.floor(minutes / 60), unit: 'hour' }
}
