import type { FastifyInstance, FastifyReply } from 'fastify'
import { parseHandle } from '../ap/handle.ts'
import type { Context } from '../context.ts'
import { type AccountRow, lookupHandle } from '../domain/accounts/find.ts'
import { accountUrl } from '../domain/server/addresses.ts'
import { listAccountStatuses, listPinned } from '../domain/statuses/account-statuses.ts'
import { readAccountEntity } from '../entities/account-presenter.ts'
import type { Account } from '../entities/account.ts'
import { dayOf, fillText } from '../html/texts.ts'
import { NotFound } from '../lib/errors.ts'
import { type Html, html, raw, safeUrl } from '../lib/html.ts'
import type { Texts } from '../messages/pages.ts'
import { emailSubscriptionForm } from './email-subscriptions.ts'
import { pageBefore, readStatuses, renderFeed, renderPaging } from './feed.ts'
import { emojiHtml, emojiText, handleOf, nameHtml, nameOf } from './names.ts'
import { profileHead } from './open-graph.ts'
import { refuseSuspended, TABS, VIEWS, type ProfileView } from './profile-views.ts'
import { countHtml } from './status-article.ts'
import { type PublicVisit, beginVisit, ownAddress, sendPage } from './public-page.ts'

type Request = { Params: { username: string; tag?: string }; Querystring: { max_id?: unknown } }

export function registerProfile(app: FastifyInstance, ctx: Context): void {
  for (const { route, viewOf } of VIEWS)
    app.get<Request>(`/@:username${route}`, async (request, reply) => {
      const visit = await beginVisit(ctx, request, reply)
      const account = await lookupHandle(ctx, request.params.username)
      if (!account) throw new NotFound()
      const address = redirectFor(ctx, account, request.params.username)
      if (address) return reply.header('cache-control', 'no-store').redirect(address)
      refuseSuspended(account)
      return showProfile(visit, account, viewOf(request.params), request.query.max_id)
    })
}

/** Remote accounts redirect to their own server, local accounts to their one address. */
function redirectFor(ctx: Context, account: AccountRow, handle: string): string | null {
  if (account.domain === null) return parseHandle(handle)?.domain ? accountUrl(ctx, account.username) : null
  const address = account.suspended_at ? null : ownAddress(account, account.url ?? account.uri)
  if (!address) throw new NotFound()
  return address
}

async function showProfile(
  visit: PublicVisit,
  row: AccountRow,
  view: ProfileView,
  cursor: unknown,
): Promise<FastifyReply> {
  const { ctx, settings } = visit
  const { profile } = visit.texts
  const page = pageBefore(cursor)
  const account = await readAccountEntity(ctx, row.id)
  const [pinned, ids] = await Promise.all([
    view.path === '' && page.maxId === null ? listPinned(ctx, null, { accountId: row.id }, page) : [],
    listAccountStatuses(ctx, null, { ...view.filter, accountId: row.id }, page),
  ])
  const name = nameOf(account)
  return sendPage(visit, {
    title: `${name} (${handleOf(ctx, account)})`,
    head: profileHead(ctx, settings.site_title, account, view.path),
    document: account.uri,
    handle: `${account.username}@${ctx.config.localDomain}`,
    noindex: !account.indexable,
    body: html`${movedNotice(visit.texts, ctx, account)}
${profileCard(visit.texts, ctx, account, {
  ...invitation(visit, account),
  subscription: account.email_subscriptions ? emailSubscriptionForm(visit.texts, ctx, account) : null,
})}
${tabs(visit.texts, account, view.path)}
<h2 class="visually-hidden">${profile.list_of({ list: view.label(visit.texts), name })}</h2>
${renderFeed(visit.texts, ctx, await readStatuses(ctx, ids), await readStatuses(ctx, pinned))}
${renderPaging(visit.texts, accountUrl(ctx, account.username) + view.path, ids, page)}`,
  })
}

function tabs({ profile: t }: Texts, { username, show_media }: Account, current: string): Html {
  const shown = TABS.filter(({ path }) => show_media || path !== '/media')
  const links = shown.map(
    ({ path, key }) =>
      html`<a href="/@${username}${path}"${path === current && html` aria-current="page"`}>${t[key]}</a>\n`,
  )
  return html`<nav class="tabs" aria-label="${t.label}">${links}</nav>`
}

/** How visitors follow the account: with one of this server, and from elsewhere. */
function invitation({ ctx, session, texts: { profile: t } }: PublicVisit, account: Account): ProfileParts {
  if (session || account.moved || account.memorial) return {}
  const address = `/authorize_interaction?${new URLSearchParams({ uri: account.uri })}`
  const handle = html`<strong><bdi>${handleOf(ctx, account)}</bdi></strong>`
  return {
    action: html`<a class="button" href="${address}" rel="nofollow">${t.follow}</a>`,
    hint: html`<p class="hint">${fillText(t.follow_from_own_server, { handle })}</p>`,
  }
}

type ProfileParts = { action?: Html; hint?: Html; subscription?: Html | null }

export function profileCard(t: Texts, ctx: Context, account: Account, parts: ProfileParts = {}): Html {
  const { label, post_count, following_count, follower_count, joined } = t.profile
  return html`<section class="card profile" aria-label="${label}">
<img class="profile-banner" src="${account.header}" alt="${account.header_description}" width="1500" height="500">
<div class="profile-body">
<div class="profile-top"><img class="avatar" src="${account.avatar}" alt="${account.avatar_description}" width="100" height="100">${parts.action}</div>
<h1>${nameHtml(account)}</h1>
<p class="handle"><bdi>${handleOf(ctx, account)}</bdi> ${badges(t, account)}</p>
${account.note && html`<div class="content" dir="auto">${emojiHtml(raw(account.note), account.emojis)}</div>`}
${fields(account)}
<ul class="counts">
<li>${countHtml(t, account.statuses_count, post_count)}</li>
<li>${networkLink(account, 'following', countHtml(t, account.following_count, following_count))}</li>
<li>${networkLink(account, 'followers', countHtml(t, account.followers_count, follower_count))}</li>
<li>${fillText(joined, { date: dayOf(t, new Date(account.created_at)) })}</li>
</ul>
${parts.hint}
${parts.subscription}
</div>
</section>`
}

/** The lists of remote accounts are on their own servers. */
const networkLink = ({ acct, username, hide_collections: hidden }: Account, list: string, count: Html): Html =>
  acct !== username || hidden ? count : html`<a href="/@${username}/${list}">${count}</a>`

/** Null unless the account has moved. */
export function movedNotice({ profile: t }: Texts, ctx: Context, { moved }: Account): Html | null {
  const url = safeUrl(moved?.url)
  if (!moved || !url) return null
  const account = html`<a href="${url}" rel="nofollow noopener"><bdi>${handleOf(ctx, moved)}</bdi></a>`
  return html`<p class="notice info">${fillText(t.moved, { account })}</p>`
}

function badges({ profile: t }: Texts, { bot, group, locked, memorial, roles }: Account): Html[] {
  const named = [
    bot && t.bot,
    group && t.group,
    locked && t.locked,
    memorial && t.memorial,
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
