// The head of a profile page: who this is.

import type { Context } from '../context.ts'
import type { Account } from '../entities/account.ts'
import { dayText, numberText } from '../html/texts.ts'
import { html, raw, safeUrl, type Html } from '../lib/html.ts'
import type { Texts } from '../messages/pages.ts'
import { emojiHtml, emojiText, nameHtml } from './emojis.ts'
import { handleOf } from './status-article.ts'

/** Banner, avatar, name, bio, fields and counters of an account of this server. */
export function profileCard(t: Texts, ctx: Context, account: Account): Html {
  return html`<section class="card profile" aria-label="Profile">
<img class="profile-banner" src="${account.header}" alt="${account.header_description}" width="1500" height="500">
<div class="profile-body">
<div class="profile-top"><img class="avatar" src="${account.avatar}" alt="${account.avatar_description}" width="100" height="100"></div>
<h1>${nameHtml(account)}</h1>
<p class="handle">${handleOf(ctx, account)} ${badges(account)}</p>
${account.note && html`<div class="content" dir="auto">${emojiHtml(raw(account.note), account.emojis)}</div>`}
${fields(account)}
<ul class="counts">
<li><strong>${numberText(t, account.statuses_count)}</strong> ${account.statuses_count === 1 ? 'post' : 'posts'}</li>
<li><strong>${numberText(t, account.following_count)}</strong> following</li>
<li><strong>${numberText(t, account.followers_count)}</strong> ${account.followers_count === 1 ? 'follower' : 'followers'}</li>
<li>Joined <time datetime="${account.created_at.slice(0, 10)}">${dayText(t, new Date(account.created_at))}</time></li>
</ul>
</div>
</section>`
}

/** Where somebody went, if they moved. */
export function movedNotice(ctx: Context, { moved }: Account): Html | null {
  const url = safeUrl(moved?.url)
  if (!moved || !url) return null
  return html`<p class="notice info">This account has moved to <a href="${url}" rel="nofollow noopener">${handleOf(ctx, moved)}</a>.</p>`
}

function badges({ bot, group, locked, memorial, roles }: Account): Html[] {
  const named = [
    bot && 'Automated',
    group && 'Group',
    locked && 'Approves followers',
    memorial && 'In memoriam',
    ...(roles ?? []).map(({ name }) => name),
  ]
  return named.filter((name) => typeof name === 'string').map((name) => html`<span class="badge">${name}</span> `)
}

function fields({ fields: rows, emojis }: Account): Html | null {
  if (rows.length === 0) return null
  const items = rows.map(({ name, value, verified_at }) => {
    const verified = verified_at && html` class="verified"`
    return html`<div${verified}><dt dir="auto">${emojiText(name, emojis)}</dt><dd dir="auto">${emojiHtml(raw(value), emojis)}</dd></div>`
  })
  return html`<dl class="profile-fields">${items}</dl>`
}
