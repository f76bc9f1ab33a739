// The consent page: the user approves or denies an application's request.
import type { FastifyReply } from 'fastify'
import { OUT_OF_BAND, type App } from '../domain/auth/apps.ts'
import type { Session } from '../domain/auth/sessions.ts'
import { sendFormPage, type Visit } from '../html/form-page.ts'
import { html, safeUrl, type Html } from '../lib/html.ts'
import { scopeTexts } from './scope-texts.ts'

/** An application's request, once it is known to be valid. */
export type ConsentRequest = {
  app: Pick<App, 'name' | 'website'>
  redirectUri: string
  scopes: readonly string[]
  /** The parameters of the request, which both forms send again. */
  params: Readonly<Record<string, string>>
  session: Session
  /** Where to sign in with another account first. */
  signInLink: string
}

/** Asks. Approving posts the request again, denying deletes it. */
export function showConsent(visit: Visit, consent: ConsentRequest): Promise<FastifyReply> {
  const { app } = consent
  return sendFormPage(visit, {
    title: `Connect ${app.name}`,
    formAction: null,
    body: (csrf) => html`<section class="card">
<h1>Connect ${app.name}?</h1>
${client(consent)}
<p>If you agree, it may do this as <strong>@${consent.session.username}</strong>:</p>
<ul class="scopes">${scopes(consent)}</ul>
<p class="muted">${whereNext(consent)} It never gets your password. Only agree if you started this yourself.</p>
<div class="actions">
<form method="post" action="/oauth/authorize">${csrf}${hidden(consent.params)}<button>Agree</button></form>
<form method="post" action="/oauth/authorize">${csrf}<input type="hidden" name="_method" value="delete">${hidden(consent.params)}<button class="secondary">Deny</button></form>
</div>
<p class="links">Not @${consent.session.username}? <a href="${consent.signInLink}">Sign in with another account</a></p>
</section>`,
  })
}

function client({ app }: ConsentRequest): Html {
  const website = safeUrl(app.website)
  return html`<p class="client"><span><strong>${app.name}</strong>${website && html`<br><a href="${website}" rel="noopener noreferrer" target="_blank">${new URL(website).host}</a>`}</span></p>`
}

function scopes({ scopes: asked }: ConsentRequest): Html[] {
  return scopeTexts(asked).map(({ title, detail, caution }) => {
    const text = html`<strong>${title}</strong><span class="hint">${detail}</span>`
    return caution ? html`<li class="caution">${text}</li>` : html`<li>${text}</li>`
  })
}

function whereNext({ redirectUri }: ConsentRequest): Html {
  if (redirectUri === OUT_OF_BAND) return html`You will then be shown a code to copy into it.`
  const url = URL.parse(redirectUri)
  const place = url && /^https?:$/.test(url.protocol) ? url.host : `${url?.protocol ?? ''}//`
  return html`You will then be sent on to <strong>${place}</strong>.`
}

function hidden(params: ConsentRequest['params']): Html[] {
  return Object.entries(params).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
}
