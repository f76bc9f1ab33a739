// /authorize_interaction: other servers send local accounts here to follow one of their accounts, or to favourite or boost
// one of their posts.
import { findUserSettings } from '../domain/auth/users.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { findAccount, getShownAccount } from '../domain/accounts/find.ts'
import { resolveHandle } from '../actions/remote/resolve-account.ts'
import { reblog } from '../actions/statuses/reblog.ts'
import { resolveUrl, type Resolved } from '../actions/remote/resolve-url.ts'
import { favourite } from '../actions/statuses/interactions.ts'
import { follow } from '../actions/accounts/follow.ts'
import { needsApproval } from '../domain/statuses/interaction-policy.ts'
import { findVisibleStatuses, getTargetStatus, isPublicOrUnlisted } from '../domain/statuses/visibility.ts'
import type { Account } from '../entities/account.ts'
import { readAccountEntity } from '../entities/account-presenter.ts'
import { presentRelationship, type Relationship } from '../entities/relationship.ts'
import { sendFormPage, textParam } from '../html/form-page.ts'
import { limitUse } from '../http/ratelimit.ts'
import { onGet, onPost, type SignedInVisit } from '../html/signed-in-page.ts'
import { NotFound } from '../lib/errors.ts'
import { fillText, textsFor } from '../html/texts.ts'
import { html, safeUrl, type Html } from '../lib/html.ts'
import { isId } from '../lib/ids.ts'
import type { Texts } from '../messages/pages.ts'
import { handleOf, nameHtml, nameOf } from './names.ts'
import { readStatuses } from './feed.ts'
import { statusTitle } from './open-graph.ts'
import { movedNotice, profileCard } from './profile.ts'
import { renderStatus } from './status-article.ts'

const PATH = '/authorize_interaction'
const MAX_URI_LENGTH = 2048

/** `GET` shows the account or post at `uri`; `POST` follows, favourites or boosts it. */
export function registerAuthorizeInteraction(app: FastifyInstance, ctx: Context): void {
  onGet(app, ctx, PATH, async (visit) => {
    const uri = (textParam(visit.request.query, 'uri') || textParam(visit.request.query, 'acct')).trim()
    // It looks up addresses on other servers, as a search of the API does, of which a token may make that many.
    await limitUse(ctx, 'per token', `interaction ${visit.session.userId}`)
    const found = uri === '' || uri.length > MAX_URI_LENGTH ? null : await resolve(visit, uri)
    if (!found) return sendNotFound(visit, uri)
    return 'accountId' in found ? showAccount(visit, uri, found.accountId) : showStatus(visit, uri, found.statusId)
  })
  onPost(app, ctx, PATH, { back: '/' }, act)
}

/** Collections have no interactions. */
type Target = Exclude<Resolved, { collectionId: string }>

/** Null unless the viewer may see it. */
async function resolve({ ctx, session }: SignedInVisit, uri: string): Promise<Target | null> {
  if (!/^https?:/i.test(uri)) {
    const account = await resolveHandle(ctx, uri)
    return account && account.suspended_at === null ? { accountId: account.id } : null
  }
  const found = await resolveUrl(ctx, uri, { fetch: true, viewerId: session.accountId })
  if (!found || 'collectionId' in found) return null
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
    const target = await getShownAccount(ctx, id)
    await follow(ctx, { accountId, targetAccountId: target.id })
  } else if (action === 'favourite') {
    const status = await getTargetStatus(ctx, session, id)
    const waits = await needsApproval(ctx, status, accountId, 'like')
    await favourite(ctx, accountId, status.id, { approval: waits ? 'pending' : null })
  } else if (action === 'boost') {
    await limitUse(ctx, 'statuses', session.userId)
    const status = await getTargetStatus(ctx, session, id)
    const { settings } = await findUserSettings(ctx, session.userId)
    const approval = (await needsApproval(ctx, status, accountId, 'announce')) ? 'pending' : null
    await reblog(ctx, { accountId, statusId: status.id, visibility: settings.privacy ?? 'public', approval })
  } else throw new NotFound()
  const query = new URLSearchParams({ uri: textParam(request.body, 'uri'), done: action })
  return reply.redirect(`${PATH}?${query}`, 303)
}

function noticeFor({ request }: SignedInVisit): { notice?: { text: string } } {
  const { done } = textsFor(request).interaction
  const action = textParam(request.query, 'done')
  return Object.hasOwn(done, action) ? { notice: { text: done[action as keyof typeof done] } } : {}
}

async function showAccount(visit: SignedInVisit, uri: string, id: string): Promise<FastifyReply> {
  const { ctx, session } = visit
  const t = textsFor(visit.request)
  const account = await readAccountEntity(ctx, id)
  const relationship = await presentRelationship(ctx, session, id)
  return sendFormPage(visit, {
    title: `${nameOf(account)} (${handleOf(ctx, account)})`,
    kind: 'reading',
    ...noticeFor(visit),
    body: (csrf) => html`${movedNotice(t, ctx, account)}
${profileCard(t, ctx, account)}
${id === session.accountId ? html`<p>${t.interaction.you}</p>` : followForm(t, account, relationship, { uri, csrf })}
${originalLink(t, account.url ?? account.uri)}`,
  })
}

type FormParts = { uri: string; csrf: Html }

function followForm({ interaction: t }: Texts, account: Account, relationship: Relationship, parts: FormParts): Html {
  const state = (['blocking', 'following', 'requested'] as const).find((each) => relationship[each])
  if (state) return html`<p>${fillText(t[state], { name: nameHtml(account) })}</p>`
  const label = t.follow({ name: nameOf(account) })
  return html`<div class="actions">${button('follow', account.id, label, parts)}</div>`
}

async function showStatus(visit: SignedInVisit, uri: string, id: string): Promise<FastifyReply> {
  const { ctx } = visit
  const t = textsFor(visit.request)
  const { favourite: favouriteLabel, boost, reply } = t.interaction
  const [status] = await readStatuses(ctx, [id])
  if (!status) throw new NotFound()
  const title = statusTitle(t, ctx, status)
  return sendFormPage(visit, {
    title,
    kind: 'reading',
    ...noticeFor(visit),
    body: (csrf) => html`<h1 class="visually-hidden">${title}</h1>
<div class="feed">${renderStatus(t, ctx, status, { main: true })}</div>
<div class="actions">${button('favourite', id, favouriteLabel, { uri, csrf })}${isPublicOrUnlisted(status.visibility) && button('boost', id, boost, { uri, csrf })}</div>
<p class="hint">${reply}</p>
${originalLink(t, status.url ?? status.uri)}`,
  })
}

function button(action: string, id: string, label: string, { uri, csrf }: FormParts): Html {
  return html`<form method="post" action="${PATH}">${csrf}
<input type="hidden" name="action" value="${action}"><input type="hidden" name="id" value="${id}"><input type="hidden" name="uri" value="${uri}">
<button>${label}</button></form>`
}

function originalLink({ interaction: t }: Texts, address: string): Html | null {
  const url = safeUrl(address)
  return url === null ? null : html`<p class="links"><a href="${url}" rel="nofollow noopener">${t.original}</a></p>`
}

function sendNotFound(visit: SignedInVisit, uri: string): Promise<FastifyReply> {
  const { interaction: t } = textsFor(visit.request)
  const address = html`<strong><bdi>${uri}</bdi></strong>`
  return sendFormPage(visit, {
    title: t.not_found,
    status: 404,
    body: () => html`<section class="card"><h1>${t.not_found}</h1>
<p>${uri === '' ? t.no_address : fillText(t.nothing_at, { address })}</p>
</section>`,
  })
}
