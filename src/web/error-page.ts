import type { FastifyRequest } from 'fastify'
import { setTimeout as delay } from 'node:timers/promises'
import { parseMediaType } from '../net/content-types.ts'
import type { Context } from '../context.ts'
import { getSettings } from '../domain/server/settings.ts'
import type { ErrorPage } from '../http/errors.ts'
import { pageHeaders, renderPage } from '../html/page.ts'
import { sessionSecret } from '../html/session.ts'
import { textsFor } from '../html/texts.ts'
import { themeOf } from '../html/theme.ts'
import { html } from '../lib/html.ts'
import { Message, render, type TextKey } from '../messages/message.ts'

/** Addresses that only programs request. */
const FOR_PROGRAMS =
  /^\/(api|\.well-known|nodeinfo|inbox|health|oauth\/(token|revoke|introspect|userinfo))(\/|$)|^\/users\/[^/]+\/(inbox|outbox)$/

/** Statuses whose error text is written for the user. */
const EXPLAINED = new Set([400, 403, 409, 422])
/** Errors whose text says no more than the page does. */
const GENERAL: readonly TextKey[] = ['bad_request', 'forbidden']

/** Null for programs, which receive JSON. */
export function errorPage(ctx: Context): ErrorPage {
  return async (request, status, error) => {
    if (!wantsPage(request)) return null
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
      body: html`<div class="error-page">
<p class="error-code" aria-hidden="true">${status}</p>
<h1>${title}</h1>
${detail && html`<p><strong>${detail}</strong></p>`}
<p class="muted">${text}</p>
<p class="actions">${mayHelp && html`<a class="button" href="${signIn}">${t.layout.sign_in}</a>`}<a class="button secondary" href="/">${t.errors.start_page}</a></p>
</div>`,
    })
    return { headers: pageHeaders({ https: ctx.config.https }), html: page }
  }
}

/** The domain when the database does not return the name within 500 ms. */
async function instanceName(ctx: Context): Promise<string> {
  const name = getSettings(ctx).then(({ site_title }) => site_title)
  const patience = delay(500, ctx.config.localDomain, { ref: false })
  return Promise.race([name, patience]).catch(() => ctx.config.localDomain)
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
