// How an application hears what came of its request: by redirect, by a form, or on a page with the code.
import type { FastifyReply } from 'fastify'
import { createHash } from 'node:crypto'
import { OUT_OF_BAND } from '../domain/auth/apps.ts'
import { sendFormPage, type FormVisit } from '../html/form-page.ts'
import { languageFor } from '../http/language.ts'
import { html, raw } from '../lib/html.ts'
import { render } from '../messages/message.ts'
import type { RedirectTarget } from './authorization-request.ts'
import type { OAuthError } from './errors.ts'

/** Sends the code to the application. */
export function sendCode(visit: FormVisit, target: RedirectTarget, code: string): Promise<FastifyReply> {
  if (target.redirectUri === OUT_OF_BAND)
    return redirect(visit, `/oauth/authorize/native?${new URLSearchParams({ code })}`)
  return answer(visit, target, { code })
}

/** Tells the application what is wrong; out of band there is nobody to tell but the person. */
export function sendError(visit: FormVisit, target: RedirectTarget, error: OAuthError): Promise<FastifyReply> {
  if (target.redirectUri === OUT_OF_BAND) return showErrorPage(visit, error)
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

/** The address as it was registered, to the byte, with more after it. A URL parser would rewrite some of them. */
function withParams(uri: string, params: string, inFragment: boolean): string {
  if (inFragment) return `${uri}#${params}`
  return `${uri}${!uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&'}${params}`
}

async function redirect({ reply }: FormVisit, location: string): Promise<FastifyReply> {
  return reply
    .status(302)
    .headers({ location, 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' })
    .send()
}

const SUBMIT = 'document.forms.answer.submit()'
const SUBMIT_HASH = createHash('sha256').update(SUBMIT).digest('base64')

/** OAuth 2.0 Form Post Response Mode: a form that sends itself, or waits for a press of its button. */
function sendForm(visit: FormVisit, action: string, members: Record<string, string>): Promise<FastifyReply> {
  const fields = Object.entries(members).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return sendFormPage(visit, {
    title: 'Back to the application',
    formAction: null,
    policy: `script-src 'sha256-${SUBMIT_HASH}'`,
    body: () => html`<section class="card">
<h1>Almost there</h1>
<form id="answer" name="answer" method="post" action="${action}">${fields}
<div class="actions"><button>Go back to the application</button></div>
</form>
</section>
<script>${raw(SUBMIT)}</script>`,
  })
}

/** Shows an error to the person: for requests whose sender is not known for sure. */
export function showErrorPage(visit: FormVisit, error: OAuthError): Promise<FastifyReply> {
  return sendFormPage(visit, {
    title: 'This application cannot be connected',
    status: error.status,
    body: () => html`<section class="card">
<h1>This application cannot be connected</h1>
<p class="lead">It sent you here with a request that this server cannot accept. Nothing was given to it.</p>
<p>${render(error.description, languageFor(visit.request))}</p>
<p class="muted">Try again from the application. If it keeps happening, tell its makers: <code>${error.code}</code>.</p>
</section>`,
  })
}
