// Subscriptions to the posts of an account by mail: the form on its profile, and the pages behind the links in mails.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  confirmSubscription,
  findSubscribedAccount,
  requestSubscription,
  unsubscribeAddress,
} from '../actions/accounts/email-subscriptions.ts'
import type { Context } from '../context.ts'
import { findLocal } from '../domain/accounts/find.ts'
import { subscriptionOfToken } from '../domain/email-subscriptions/subscriptions.ts'
import { accountUrl, fullHandle } from '../domain/server/addresses.ts'
import { sendFormPage, textParam, type FormVisit } from '../html/form-page.ts'
import { field } from '../html/forms.ts'
import { fillText, textsFor } from '../html/texts.ts'
import { languageFor } from '../http/language.ts'
import { limitSubscription } from '../http/ratelimit.ts'
import { NotFound } from '../lib/errors.ts'
import { html, type Html } from '../lib/html.ts'
import type { Texts } from '../messages/pages.ts'
import { openVisit, sendExpiredLinkPage, sendMailSentPage } from './auth-forms.ts'
import { noProblems, problemsOf, type FormProblems } from './form-problems.ts'
import { mailLinkForm, sendMailLinkPage } from './mail-link.ts'
import { beginVisit } from './public-page.ts'

const CONFIRM = '/email_subscriptions/confirm'
const UNSUBSCRIBE = '/email_subscriptions/unsubscribe'

export function registerEmailSubscriptions(app: FastifyInstance, ctx: Context): void {
  app.post<{ Params: { username: string } }>('/@:username/email_subscriptions', async (request, reply) => {
    await beginVisit(ctx, request, reply)
    const account = await findLocal(ctx, request.params.username)
    if (!account) throw new NotFound()
    return subscribe({ ctx, request, reply }, account)
  })
  // Programs that check the links in mails open pages, but press no buttons.
  app.get(CONFIRM, async (request, reply) => {
    const { token, id } = tokenOf(ctx, request, 'confirm')
    const account = await findSubscribedAccount(ctx, id)
    if (!account) return showExpired(ctx, request, reply)
    return show(ctx, request, reply, (t) => [
      html`<p class="lead">${fillText(t.email_subscription.question, { handle: handleOf(ctx, account) })}</p>`,
      mailLinkForm(CONFIRM, token, t.email_subscription.subscribe),
    ])
  })
  app.post(CONFIRM, async (request, reply) => {
    const account = await confirmSubscription(ctx, tokenOf(ctx, request, 'confirm').id)
    if (!account) return showExpired(ctx, request, reply)
    const profile = html`<a href="${accountUrl(ctx, account.username)}">${handleOf(ctx, account)}</a>`
    return show(ctx, request, reply, (t) => [
      html`<p class="lead">${fillText(t.email_subscription.confirmed, { handle: profile })}</p>`,
    ])
  })
  app.get(UNSUBSCRIBE, async (request, reply) => {
    const { token } = tokenOf(ctx, request, 'unsubscribe')
    return show(ctx, request, reply, (t) => [
      html`<p class="lead">${t.email_subscription.stop}</p>`,
      mailLinkForm(UNSUBSCRIBE, token, t.unsubscribe.button),
    ])
  })
  app.post(UNSUBSCRIBE, async (request, reply) => {
    const account = await unsubscribeAddress(ctx, tokenOf(ctx, request, 'unsubscribe').id)
    return show(ctx, request, reply, (t) => [
      html`<p class="lead">${t.email_subscription.stopped}</p>`,
      html`${account && linkButton(accountUrl(ctx, account.username), t.email_subscription.summary)}`,
    ])
  })
}

/** Throws NotFound without a valid token. */
function tokenOf(
  ctx: Context,
  request: FastifyRequest,
  purpose: 'confirm' | 'unsubscribe',
): { token: string; id: string } {
  const token = textParam(request.query, 'token')
  const id = subscriptionOfToken(ctx, purpose, token)
  if (id === null) throw new NotFound()
  return { token, id }
}

type Named = { username: string }

const handleOf = (ctx: Context, { username }: Named): Html =>
  html`<bdi>@${fullHandle(ctx, { username, domain: null })}</bdi>`

/**
 * For people without an account. Without a CSRF token, so that caches may share the page: the form does nothing in the name of
 * its sender.
 */
export function emailSubscriptionForm(t: Texts, ctx: Context, account: Named): Html {
  const { summary } = t.email_subscription
  return html`<details class="email-subscription"><summary>${summary}</summary>${form(t, ctx, account)}</details>`
}

type Filled = { email?: string; problems?: FormProblems }

function form(t: Texts, ctx: Context, account: Named, { email = '', problems = noProblems }: Filled = {}): Html {
  const { lead, subscribe: button } = t.email_subscription
  return html`<form method="post" action="/@${account.username}/email_subscriptions">
<p>${fillText(lead, { handle: handleOf(ctx, account) })}</p>
${field(t, { label: t.form.email, name: 'email', type: 'email', value: email, error: problems.of('email'), autocomplete: 'email', required: true })}
<div class="actions"><button>${button}</button></div>
</form>`
}

async function subscribe(visit: FormVisit, account: Named & { id: string }): Promise<FastifyReply> {
  const { ctx, request } = visit
  const t = textsFor(request)
  const email = textParam(request.body, 'email')
  await limitSubscription(ctx, request.ip, account.id, email)
  try {
    await requestSubscription(ctx, account.id, email, { ip: request.ip, language: languageFor(request) })
  } catch (error) {
    const problems = problemsOf(t, error)
    return sendFormPage(visit, {
      title: t.email_subscription.title,
      status: 422,
      body: () => html`${problems.summary}<section class="card">
<h1>${t.email_subscription.title}</h1>
${form(t, ctx, account, { email, problems })}
</section>`,
    })
  }
  return sendMailSentPage(visit, { lead: t.email_subscription.sent, retry: accountUrl(ctx, account.username) })
}

const linkButton = (href: string, text: string): Html =>
  html`<div class="actions"><a class="button secondary" href="${href}">${text}</a></div>`

const showExpired = async (ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
  sendExpiredLinkPage(await openVisit(ctx, request, reply), (t) => linkButton('/', t.errors.start_page))

async function show(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  body: (t: Texts) => readonly Html[],
): Promise<FastifyReply> {
  const t = textsFor(request)
  return sendMailLinkPage(await openVisit(ctx, request, reply), t.email_subscription.title, body(t))
}
