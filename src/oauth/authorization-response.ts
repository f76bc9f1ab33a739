// The response to an authorization request: a redirect, a form that posts itself, or a page with the code.
import type { FastifyReply } from 'fastify'
import { createHash } from 'node:crypto'
import { OUT_OF_BAND } from '../domain/auth/apps.ts'
import { sendFormPage, type FormVisit } from '../html/form-page.ts'
import { fillText, textsFor } from '../html/texts.ts'
import { languageFor } from '../http/language.ts'
import { html, raw } from '../lib/html.ts'
import { render } from '../messages/message.ts'
import type { RedirectTarget } from './authorization-request.ts'
import type { OAuthError } from './errors.ts'

export function sendCode(visit: FormVisit, target: RedirectTarget, code: string): Promise<FastifyReply> {
  if (target.redirectUri === OUT_OF_BAND)
    return redirect(visit, `/oauth/authorize/native?${new URLSearchParams({ code })}`)
  return answer(visit, target, { code })
}

/** Sends an error to the application, or shows it on a page when the application has no address (out of band). */
export function sendError(visit: FormVisit, target: RedirectTarget, error: OAuthError): Promise<FastifyReply> {
  if (target.redirectUri === OUT_OF_BAND)
    return error.code === 'access_denied' ? showDenial(visit) : showErrorPage(visit, error)
  const description = render(error.description, languageFor(visit.request))
  return answer(visit, target, { error: error.code, error_description: description })
}

async function answer(
  visit: FormVisit,
  { redirectUri, mode, state }: RedirectTarget,
  members: Record<string, string>,
): Promise<FastifyReply> {
  const all = state === undefined ? members : { ...members, state }
  if (mode === 'form_post') return sendForm(visit, redirectUri, all)
  return redirect(visit, withParams(redirectUri, new URLSearchParams(all).toString(), mode === 'fragment'))
}

/** Adds parameters to the registered address without parsing it: a URL parser would rewrite some addresses. */
function withParams(uri: string, params: string, inFragment: boolean): string {
  if (inFragment) return `${uri}#${params}`
  if (!uri.includes('?')) return `${uri}?${params}`
  return /[?&]$/.test(uri) ? `${uri}${params}` : `${uri}&${params}`
}

async function redirect({ reply }: FormVisit, location: string): Promise<FastifyReply> {
  return reply
    .status(302)
    .headers({ location, 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' })
    .send()
}

const SUBMIT = 'document.forms.answer.submit()'
const SUBMIT_HASH = createHash('sha256').update(SUBMIT).digest('base64')

/** OAuth 2.0 Form Post Response Mode: a form that a script submits, or its button without JavaScript. */
function sendForm(visit: FormVisit, action: string, members: Record<string, string>): Promise<FastifyReply> {
  const fields = Object.entries(members).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  const t = textsFor(visit.request).authorization
  return sendFormPage(visit, {
    title: t.back_title,
    formAction: null,
    policy: `script-src 'sha256-${SUBMIT_HASH}'`,
    body: () => html`<section class="card">
<h1>${t.back_heading}</h1>
<form id="answer" name="answer" method="post" action="${action}">${fields}
<div class="actions"><button>${t.back_button}</button></div>
</form>
</section>
<script>${raw(SUBMIT)}</script>`,
  })
}

function showDenial(visit: FormVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request).authorization
  return sendFormPage(visit, {
    title: t.denied_heading,
    body: () => html`<section class="card">
<h1>${t.denied_heading}</h1>
<p class="lead">${t.denied_lead}</p>
</section>`,
  })
}

/** For requests without a verified application that could receive the error. */
export function showErrorPage(visit: FormVisit, error: OAuthError): Promise<FastifyReply> {
  const t = textsFor(visit.request).authorization
  return sendFormPage(visit, {
    title: t.error_heading,
    status: error.status,
    body: () => html`<section class="card">
<h1>${t.error_heading}</h1>
<p class="lead">${t.error_lead}</p>
<p>${render(error.description, languageFor(visit.request))}</p>
<p class="muted">${fillText(t.error_help, { code: html`<code>${error.code}</code>` })}</p>
</section>`,
  })
}
