// /authorize_interaction: where other servers send our people who want to follow somebody, or to answer a post, over there.

import { findUserSettings } from '../domain/auth/users.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { findAccount } from '../domain/accounts/find.ts'
import { resolveHandle } from '../actions/remote/resolve-account.ts'
import { publishReblog } from '../actions/statuses/reblog.ts'
import { resolveUrl, type Resolved } from '../actions/remote/resolve-url.ts'
import { favourite } from '../actions/statuses/favourite.ts'
import { follow } from '../actions/accounts/follow.ts'
import { needsApproval } from '../domain/statuses/interaction-policy.ts'
import { findVisibleStatuses, getTargetStatus } from '../domain/statuses/visibility.ts'
import type { Account } from '../entities/account.ts'
import { readAccountEntity } from '../entities/account-presenter.ts'
import { presentRelationship, type Relationship } from '../entities/relationship.ts'
import { sendFormPage, textParam } from '../html/form-page.ts'
import { limitUse } from '../http/ratelimit.ts'
import { onGet, onPost, type SignedInVisit } from '../html/signed-in-page.ts'
import { NotFound } from '../lib/errors.ts'
import { textsFor } from '../html/texts.ts'
import { html, safeUrl, type Html } from '../lib/html.ts'
import { isId } from '../lib/ids.ts'
import { handleOf, nameHtml, nameOf } from './names.ts'
import { readStatuses } from './feed.ts'
import { statusTitle } from './open-graph.ts'
import { movedNotice, profileCard } from './profile.ts'
import { renderStatus } from './status-article.ts'

const PATH = '/authorize_interaction'
const LONGEST = 2048

const NOTICES: Record<string, string> = {
  follow: 'Done. Their posts come to your home timeline as soon as their server agrees.',
  favourite: 'This post is among your favourites.',
  boost: 'You have boosted this post.',
}

/** `GET` shows who or what `uri` names; `POST` follows, favourites or boosts. */
export function registerAuthorizeInteraction(app: FastifyInstance, ctx: Context): void {
  onGet(app, ctx, PATH, async (visit) => {
    const uri = (textParam(visit.request.query, 'uri') || textParam(visit.request.query, 'acct')).trim()
    await limitUse(ctx, 'per token', `interaction ${visit.session.userId}`)
    const found = uri === '' || uri.length > LONGEST ? null : await resolve(visit, uri)
    if (!found) return sendNotFound(visit, uri)
    return 'accountId' in found ? showAccount(visit, uri, found.accountId) : showStatus(visit, uri, found.statusId)
  })
  onPost(app, ctx, PATH, { back: '/' }, act)
}

/** What an address or handle names; a post only when the visitor may read it. */
async function resolve({ ctx, session }: SignedInVisit, uri: string): Promise<Resolved | null> {
  if (!/^https?:/i.test(uri)) {
    const account = await resolveHandle(ctx, uri)
    return account && account.suspended_at === null ? { accountId: account.id } : null
  }
  const found = await resolveUrl(ctx, uri, { fetch: true })
  if (!found) return null
  if ('statusId' in found) {
    const [status] = await findVisibleStatuses(ctx, session, [found.statusId])
    return status ? { statusId: status.reblog_of_id ?? status.id } : null
  }
  const account = await findAccount(ctx, found.accountId)
  return account && account.suspended_at === null ? found : null
}

async function act({ ctx, session, request, reply }: SignedInVisit): Promise<FastifyReply> {
  const [action, id] = [textParam(request.body, 'action'), textParam(request.body, 'id')]
  const { accountId } = session
  if (!isId(id)) throw new NotFound()
  if (action === 'follow') {
    await limitUse(ctx, 'follows', session.userId)
    await follow(ctx, { accountId, targetAccountId: id })
  } else if (action === 'favourite') {
    const status = await getTargetStatus(ctx, session, id)
    const waits = await needsApproval(ctx, status, accountId, 'like')
    await favourite(ctx, accountId, status.id, { approval: waits ? 'pending' : null })
  } else if (action === 'boost') {
    await limitUse(ctx, 'statuses', session.userId)
    const status = await getTargetStatus(ctx, session, id)
    const { settings } = await findUserSettings(ctx, session.userId)
    const approval = (await needsApproval(ctx, status, accountId, 'announce')) ? 'pending' : null
    await publishReblog(ctx, { accountId, statusId: status.id, visibility: settings.privacy ?? 'public', approval })
  } else throw new NotFound()
  const query = new URLSearchParams({ uri: textParam(request.body, 'uri'), done: action })
  return reply.redirect(`${PATH}?${query}`, 303)
}

function noticeFor({ request }: SignedInVisit): { notice?: { text: string } } {
  const text = NOTICES[textParam(request.query, 'done')]
  return text ? { notice: { text } } : {}
}

async function showAccount(visit: SignedInVisit, uri: string, id: string): Promise<FastifyReply> {
  const { ctx, session } = visit
  const account = await readAccountEntity(ctx, id)
  const relationship = await presentRelationship(ctx, session, id)
  return sendFormPage(visit, {
    title: `${nameOf(account)} (${handleOf(ctx, account)})`,
    kind: 'reading',
    ...noticeFor(visit),
    body: (csrf) => html`${movedNotice(ctx, account)}
${profileCard(textsFor(visit.request), ctx, account)}
${id === session.accountId ? html`<p>This is you.</p>` : followForm(account, relationship, uri, csrf)}
${homeLink(account.url ?? account.uri)}`,
  })
}

function followForm(account: Account, { following, requested, blocking }: Relationship, uri: string, csrf: Html): Html {
  if (blocking) return html`<p>You block ${nameHtml(account)}.</p>`
  if (following) return html`<p>You follow ${nameHtml(account)}.</p>`
  if (requested) return html`<p>You have asked to follow ${nameHtml(account)}.</p>`
  return html`<div class="actions">${button('follow', account.id, `Follow ${nameOf(account)}`, uri, csrf)}</div>`
}

async function showStatus(visit: SignedInVisit, uri: string, id: string): Promise<FastifyReply> {
  const { ctx } = visit
  const [status] = await readStatuses(ctx, [id])
  if (!status) throw new NotFound()
  const isOpen = status.visibility === 'public' || status.visibility === 'unlisted'
  return sendFormPage(visit, {
    title: statusTitle(ctx, status),
    kind: 'reading',
    ...noticeFor(visit),
    body: (csrf) => html`<h1 class="visually-hidden">${statusTitle(ctx, status)}</h1>
${renderStatus(ctx, status, { main: true })}
<div class="actions">${button('favourite', id, 'Favourite', uri, csrf)}${isOpen && button('boost', id, 'Boost', uri, csrf)}</div>
<p class="hint">To answer, open it in your application: search there for its address.</p>
${homeLink(status.url ?? status.uri)}`,
  })
}

function button(action: string, id: string, label: string, uri: string, csrf: Html): Html {
  return html`<form method="post" action="${PATH}">${csrf}
<input type="hidden" name="action" value="${action}"><input type="hidden" name="id" value="${id}"><input type="hidden" name="uri" value="${uri}">
<button>${label}</button></form>`
}

function homeLink(address: string): Html | null {
  const url = safeUrl(address)
  return url === null ? null : html`<p><a href="${url}" rel="nofollow noopener">Back to where it is at home</a></p>`
}

function sendNotFound(visit: SignedInVisit, uri: string): Promise<FastifyReply> {
  return sendFormPage(visit, {
    title: 'Not found',
    status: 404,
    body: () => html`<section class="card"><h1>Not found</h1>
<p>${uri === '' ? 'The address of somebody, or of a post, is missing.' : html`Nobody and nothing could be found at <strong>${uri}</strong>. Its server may be away, or it is not for you to read.`}</p>
</section>`,
  })
}
