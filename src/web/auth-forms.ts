import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { MIN_PASSWORD } from '../domain/auth/user-rules.ts'
import type { UserState } from '../domain/auth/viewer.ts'
import { checkForm } from '../html/csrf.ts'
import { type FormVisit, sendFormPage, textParam } from '../html/form-page.ts'
import { field } from '../html/forms.ts'
import { currentSession, TWO_FACTOR_PATH } from '../html/session.ts'
import { fillText, textsFor } from '../html/texts.ts'
import { limitMail } from '../http/sign-in-limits.ts'
import { type Html, html } from '../lib/html.ts'
import type { Texts } from '../messages/pages.ts'
import type { FormProblems } from './form-problems.ts'

/** A path on this server to continue at, with its query; null for any other address, to prevent open redirects. */
export function localPath(text: string): string | null {
  if (!isPath(text)) return null
  const base = 'http://here.invalid'
  const url = URL.parse(text, base)
  if (url?.origin !== base) return null
  // Parsing drops tabs and dot segments, after which the path may begin like another host's address.
  const path = `${url.pathname}${url.search}${url.hash}`
  return isPath(path) ? path : null
}

const isPath = (text: string): boolean => /^\/(?![/\\])/.test(text)

/** Whether a signed-in browser asks to sign in to another account, or to the same one again. */
export const isAgain = (request: FastifyRequest): boolean => textParam(request.query, 'again') !== ''

/** The query of links between the pages for signing in. */
export function linkQuery(request: FastifyRequest, next: string | null): string {
  const query = new URLSearchParams({ ...(isAgain(request) ? { again: '1' } : {}), ...(next === null ? {} : { next }) })
  return query.size === 0 ? '' : `?${query}`
}

/** For pages that need no session: reads it if there is one, so that the page is in the language of its user. */
export async function openVisit(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FormVisit> {
  await currentSession(ctx, request)
  return { ctx, request, reply }
}

/**
 * Handles a form that requests an e-mail for a username or address, with rate limits. The response does not wait for the e-mail:
 * its time must not show whether there is such an account.
 */
export async function takeMailRequest(
  { ctx, request }: FormVisit,
  send: (login: string) => Promise<void>,
): Promise<void> {
  await checkForm(ctx, request)
  const login = textParam(request.body, 'user', 'email').trim()
  await limitMail(ctx, request.ip, login)
  send(login).catch((error: unknown) => ctx.log.error({ err: error }, 'mail.failed'))
}

/** Says which e-mail was sent, and what to do when it does not arrive. `retry` is the path of the form that requested it. */
export function sendMailSentPage(visit: FormVisit, { lead, retry, more }: MailSent): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const texts = t.sign_up
  return sendFormPage(visit, {
    title: texts.check_mail,
    body: () => html`<section class="card">
<h1>${texts.check_mail}</h1>
<p class="lead">${lead}</p>
${more}
${visit.ctx.config.smtp === null && html`<p class="muted">${fillText(texts.no_mail_server, { folder: html`<code>mail</code>` })}</p>`}
<p class="links">${fillText(texts.nothing_arrived, { retry: html`<a href="${retry}">${texts.retry}</a>` })}</p>
</section>`,
  })
}

/** For a link from an e-mail that no longer works. `more` says what to do. */
export function sendExpiredLinkPage(visit: FormVisit, more: (t: Texts) => Html): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  return sendFormPage(visit, {
    title: t.expired_link.title,
    status: 404,
    body: () => html`<section class="card">
<h1>${t.expired_link.heading}</h1>
<p class="lead">${t.expired_link.text}</p>
${more(t)}
</section>`,
  })
}

type MailSent = { lead: string | Html; retry: string; more?: Html | false }

/** The parameter of a form for an attribute of the user. */
export const userParameter = (name: string): string => `user[${name}]`

export const newPasswordField = (t: Texts, label: string, problems: FormProblems): Html =>
  field(t, {
    label,
    name: userParameter('password'),
    type: 'password',
    error: problems.of('password'),
    hint: t.form.min_characters({ count: MIN_PASSWORD }),
    autocomplete: 'new-password',
    minLength: MIN_PASSWORD,
    required: true,
  })

/** A form that the browser fills in with a passkey. Its page loads `html/scripts/passkeys.js`. */
export function passkeyForm(
  { passkey: t }: Texts,
  form: {
    kind: 'create' | 'get'
    options: object
    action: string
    hidden: Html
    button: string
    more?: Html
  },
): Html {
  const messages = { unsupported: t.unsupported, exists: t.exists, failed: t.failed }
  return html`<form method="post" action="${form.action}" data-passkey="${form.kind}" data-options="${JSON.stringify(form.options)}" data-messages="${JSON.stringify(messages)}">${form.hidden}<input type="hidden" name="answer" value="">
${form.more}
<p class="field-error" role="alert" data-passkey-message hidden></p>
<noscript><p class="hint">${t.needs_script}</p></noscript>
<div class="actions"><button>${form.button}</button></div>
</form>`
}

/**
 * The path to which a sign-in leads: `next`, or for disabled and suspended users the decision of moderators, or the set-up of a
 * second factor that the user lacks. Null for users who may not sign in.
 */
export function landingOf(state: UserState, next: string | null): string | null {
  if (state === 'usable') return next ?? '/'
  if (state === 'missing_2fa') return TWO_FACTOR_PATH
  if (state !== 'disabled' && state !== 'suspended') return null
  return next !== null && /^\/disputes\/strikes\b/.test(next) ? next : '/disputes/strikes'
}

/** Why the user may not sign in; null for users who may. */
export const refusalOf = (t: Texts, state: UserState): string | null =>
  state === 'usable' || state === 'missing_2fa' ? null : t.sign_in.refusals[state]
