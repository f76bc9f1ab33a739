import type { FastifyRequest } from 'fastify'
import { setTimeout as delay } from 'node:timers/promises'
import { parseMediaType } from '../net/content-types.ts'
import type { Context } from '../context.ts'
import type { Session } from '../domain/auth/sessions.ts'
import { getSettings } from '../domain/server/settings.ts'
import type { ErrorPage } from '../http/errors.ts'
import { userOf } from '../html/form-page.ts'
import { pageHeaders, renderPage, type HtmlPage } from '../html/page.ts'
import { currentSession, sessionSecret } from '../html/session.ts'
import { textsFor } from '../html/texts.ts'
import { themeOf } from '../html/theme.ts'
import { html } from '../lib/html.ts'
import { Message, render, type TextKey } from '../messages/message.ts'
import type { Texts } from '../messages/pages.ts'

/** Addresses that only programs request. */
const FOR_PROGRAMS =
  /^\/(api|\.well-known|nodeinfo|inbox|health|oauth\/(token|revoke|introspect|userinfo))(\/|$)|^\/users\/[^/]+\/(inbox|outbox)$/

/** Statuses whose error text is written for the user. */
const EXPLAINED = new Set([400, 403, 409, 410, 422])
/** Errors whose text says no more than the page does. */
const GENERAL: readonly TextKey[] = ['bad_request', 'forbidden', 'gone']

/** Null for programs, which receive JSON. */
export function errorPage(ctx: Context): ErrorPage {
  return async (request, status, error) => {
    if (!wantsPage(request)) return null
    const session = status < 500 && status !== 429 ? await sessionOf(ctx, request) : null
    const t = textsFor(request)
    const explanations: Readonly<Record<number, { title: string; text: string } | string>> = t.errors
    const { title, text } = (
      Object.hasOwn(t.errors, status) ? explanations[status] : t.errors[status < 500 ? 400 : 500]
    ) as { title: string; text: string }
    const isGeneral = error instanceof Message && GENERAL.some((key) => key === error.key)
    const detail = EXPLAINED.has(status) && !isGeneral ? render(error, t.language) : null
    const mayHelp = status === 401 || (status === 404 && request.method === 'GET' && !sessionSecret(ctx, request))
    const signIn = `/auth/sign_in?${new URLSearchParams({ next: request.url })}`
    const page = renderPage({
      title,
      instanceName: await instanceName(ctx),
      sourceUrl: ctx.config.sourceUrl,
      texts: t,
      theme: themeOf(request),
      noindex: true,
      ...(session ? signedInLinks(ctx, t, session) : {}),
      body: html`<div class="error-page">
<p class="error-code" aria-hidden="true">${status}</p>
<h1>${title}</h1>
<p class="muted">${detail ?? text}</p>
<p class="actions">${mayHelp && html`<a class="button" href="${signIn}">${t.layout.sign_in}</a>`}<a class="button secondary" href="/">${t.errors.start_page}</a></p>
</div>`,
    })
    return { headers: pageHeaders({ https: ctx.config.https }), html: page }
  }
}

/** `otherwise` when the database fails, or does not answer within 500 ms. */
async function soon<T>(answer: Promise<T>, otherwise: T): Promise<T> {
  return Promise.race([answer, delay(500, otherwise, { ref: false })]).catch(() => otherwise)
}

const instanceName = (ctx: Context): Promise<string> =>
  soon(
    getSettings(ctx).then(({ site_title }) => site_title),
    ctx.config.localDomain,
  )

const sessionOf = (ctx: Context, request: FastifyRequest): Promise<Session | null> =>
  soon(currentSession(ctx, request), null)

/** Without the form to sign out, which needs a token. */
function signedInLinks(ctx: Context, t: Texts, session: Session): Pick<HtmlPage, 'nav' | 'user'> {
  const { signOut: _, ...user } = userOf(ctx, session, '')
  const settings = { href: '/settings', label: t.home.settings }
  return { nav: session.isStaff ? [settings, { href: '/admin', label: t.admin.frame.title }] : [settings], user }
}

const HTML = /^(text\/html|application\/xhtml\+xml)$/
const JSON_TYPE = /[/+]json$/

/** Whether the client is a browser: the address is a page's, and the client prefers HTML at least as much as JSON. */
function wantsPage(request: FastifyRequest): boolean {
  const path = request.url.split('?', 1)[0] as string
  if (FOR_PROGRAMS.test(path)) return false
  const weights = { html: 0, json: 0 }
  for (const member of (request.headers.accept ?? '').slice(0, 2048).split(',')) {
    const { type, parameters } = parseMediaType(member)
    const weight = Number(parameters.get('q') ?? 1)
    if (HTML.test(type) && weight > weights.html) weights.html = weight
    if (JSON_TYPE.test(type) && weight > weights.json) weights.json = weight
  }
  return weights.html > 0 && weights.html >= weights.json
}
