import type { FastifyReply } from 'fastify'
import { type App, OUT_OF_BAND } from '../domain/auth/apps.ts'
import { covers, type Scope, type ScopeNoun, WIDE_SCOPES } from '../domain/auth/scopes.ts'
import type { Session } from '../domain/auth/sessions.ts'
import { sendFormPage, type FormVisit } from '../html/form-page.ts'
import { fillText, textsFor } from '../html/texts.ts'
import { type Html, html, safeUrl } from '../lib/html.ts'
import type { Texts } from '../messages/pages.ts'

type ConsentRequest = {
  app: Pick<App, 'name' | 'website'>
  redirectUri: string
  scopes: readonly Scope[]
  /** Both forms send these again. */
  params: Readonly<Record<string, string>>
  session: Session
  signInLink: string
}

/** To approve, a form posts the request again; to deny, it adds `_method=delete`. */
export function showConsent(visit: FormVisit, consent: ConsentRequest): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { app } = consent
  const { username } = consent.session
  return sendFormPage(visit, {
    title: t.consent.title({ app: app.name }),
    formAction: null,
    body: (csrf) => html`<section class="card">
<h1>${t.consent.heading({ app: app.name })}</h1>
${client(consent)}
<p>${fillText(t.consent.may, { account: html`<strong><bdi>@${username}</bdi></strong>` })}</p>
<ul class="scopes">${scopes(t, consent)}</ul>
<p class="muted">${whereNext(t, consent)} ${t.consent.caution}</p>
<div class="actions">
<form method="post" action="/oauth/authorize">${csrf}${hidden(consent.params)}<button>${t.consent.approve}</button></form>
<form method="post" action="/oauth/authorize">${csrf}<input type="hidden" name="_method" value="delete">${hidden(consent.params)}<button class="secondary">${t.consent.deny}</button></form>
</div>
<p class="links">${t.consent.not_you({ username })} <a href="${consent.signInLink}">${t.consent.other_account}</a></p>
</section>`,
  })
}

function client({ app }: ConsentRequest): Html {
  const website = safeUrl(app.website)
  return html`<p class="client"><span><strong>${app.name}</strong>${website && html`<br><a href="${website}" rel="noopener noreferrer" target="_blank">${new URL(website).host}</a>`}</span></p>`
}

function scopes(t: Texts, { scopes: requested }: ConsentRequest): Html[] {
  return scopeTexts(t, requested).map(({ title, detail, caution }) => {
    const text = html`<strong>${title}</strong><span class="hint">${detail}</span>`
    return caution ? html`<li class="caution">${text}</li>` : html`<li>${text}</li>`
  })
}

function whereNext({ consent }: Texts, { redirectUri }: ConsentRequest): Html {
  if (redirectUri === OUT_OF_BAND) return html`${consent.then_code}`
  const url = URL.parse(redirectUri)
  const place = url && /^https?:$/.test(url.protocol) ? url.host : `${url?.protocol ?? ''}//`
  return fillText(consent.then_sent, { place: html`<strong>${place}</strong>` })
}

function hidden(params: ConsentRequest['params']): Html[] {
  return Object.entries(params).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
}

type ScopeText = { title: string; detail: string; caution: boolean }

/** The widest scopes first, without those that another one covers. */
export function scopeTexts(t: Texts, scopes: readonly Scope[]): ScopeText[] {
  const needed = scopes.filter((scope) => {
    const others = scopes.filter((other) => other !== scope)
    return !covers(others, scope)
  })
  const wide = WIDE_SCOPES.filter((scope) => needed.includes(scope))
  const narrow = needed.filter((scope) => !WIDE_SCOPES.some((other) => other === scope))
  return [
    ...wide.map((scope) => ({ ...t.scopes[scope], caution: scope.startsWith('admin:') })),
    ...narrow.map((scope) => narrowText(t, scope)),
  ]
}

function narrowText({ scopes: texts }: Texts, scope: Scope): ScopeText {
  const parts = scope.split(':')
  const nouns: Record<ScopeNoun, string> = texts.nouns
  const noun = nouns[parts.at(-1) as ScopeNoun]
  const act = parts.at(-2) === 'write' ? 'write' : 'read'
  const caution = parts[0] === 'admin'
  const { title, detail } = texts[`${caution ? 'admin_' : ''}${act}_one` as const]
  return { title: title({ noun }), detail, caution }
}
