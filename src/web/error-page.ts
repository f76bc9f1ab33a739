// What a browser gets when something goes wrong: what happened, and where to go from here.

import type { FastifyRequest } from 'fastify'
import { setTimeout as delay } from 'node:timers/promises'
import { parseMediaType } from '../net/content-types.ts'
import type { Context } from '../context.ts'
import { getSettings } from '../domain/server/settings.ts'
import type { ErrorPage } from '../http/errors.ts'
import { pageHeaders, renderPage } from '../html/page.ts'
import { sessionSecret } from '../html/session.ts'
import { html } from '../lib/html.ts'

/** Addresses that only programs ask for. */
const FOR_PROGRAMS =
  /^\/(api|\.well-known|nodeinfo|inbox|health|oauth\/(token|revoke|introspect|userinfo))(\/|$)|^\/users\/[^/]+\/(inbox|outbox)$/

type Explanation = { title: string; text: string }

const EXPLANATIONS: Record<number, Explanation> = {
  400: {
    title: 'That request made no sense to us',
    text: 'Something in the address or the form is not as it should be. Go back and try again.',
  },
  401: { title: 'Please sign in first', text: 'This page is for people who are signed in.' },
  403: { title: 'You may not do that', text: 'Your account has no access to this page.' },
  404: {
    title: 'There is nothing here',
    text: 'The page may have been deleted, or is only for some people’s eyes. Or there is a slip in the address.',
  },
  405: { title: 'That does not work here', text: 'This address cannot be used in that way. Go back and try again.' },
  410: { title: 'This is gone', text: 'It was here once, and will not come back.' },
  413: { title: 'That was too large', text: 'What you sent is larger than this server takes.' },
  422: { title: 'That could not be done', text: 'What you sent was understood, but it is not possible.' },
  429: {
    title: 'A little slower, please',
    text: 'There were too many requests from you in a short time. Wait a few minutes, then try again.',
  },
  503: {
    title: 'Back in a moment',
    text: 'The server is busy or being looked after. Wait a little, then load the page again.',
  },
}
const OUR_FAULT: Explanation = {
  title: 'Something broke on our side',
  text: 'It was written to the log, so that it can be mended. Try again in a while.',
}
const THEIR_FAULT = EXPLANATIONS[400] as Explanation

/** Statuses whose error text is written for whoever is looking at the page. */
const TELLING = new Set([400, 403, 409, 422])
/** Texts that say no more than the page does. */
const STOCK = new Set(['Bad request', 'This action is not allowed'])

/** The page that a browser gets for an error; null for programs, which get JSON. */
export function errorPage(ctx: Context): ErrorPage {
  return async (request, status, message) => {
    if (!wantsPage(request)) return null
    const { title, text } = EXPLANATIONS[status] ?? (status < 500 ? THEIR_FAULT : OUR_FAULT)
    const detail = TELLING.has(status) && !STOCK.has(message) ? message : null
    const mayHelp = status === 401 || (status === 404 && request.method === 'GET' && !sessionSecret(ctx, request))
    const signIn = `/auth/sign_in?${new URLSearchParams({ next: request.url })}`
    const page = renderPage({
      title,
      instanceName: await instanceName(ctx),
      sourceUrl: ctx.config.sourceUrl,
      noindex: true,
      body: html`<div class="error-page">
<p class="error-code" aria-hidden="true">${status}</p>
<h1>${title}</h1>
${detail && html`<p><strong>${detail}</strong></p>`}
<p class="muted">${text}</p>
<p class="actions">${mayHelp && html`<a class="button" href="${signIn}">Sign in</a>`}<a class="button secondary" href="/">Go to the start page</a></p>
</div>`,
    })
    return { headers: pageHeaders({ https: ctx.config.https }), html: page }
  }
}

/** The server's name, or its domain when the database, which knows the name, does not answer at once. */
async function instanceName(ctx: Context): Promise<string> {
  const name = getSettings(ctx).then(({ site_title }) => site_title)
  const patience = delay(500, ctx.config.localDomain, { ref: false })
  return Promise.race([name, patience]).catch(() => ctx.config.localDomain)
}

/** Whether a person is looking: the address is a page's, and HTML is named and liked no less than what programs read. */
function wantsPage(request: FastifyRequest): boolean {
  const path = request.url.split('?', 1)[0] as string
  if (FOR_PROGRAMS.test(path)) return false
  const likes = { html: 0, json: 0 }
  for (const member of (request.headers.accept ?? '').slice(0, 2048).split(',')) {
    const { type, parameters } = parseMediaType(member)
    const kind = /^(text\/html|application\/xhtml\+xml)$/.test(type) ? 'html' : /[/+]json$/.test(type) ? 'json' : null
    const weight = Number(parameters.get('q') ?? 1)
    if (kind && weight > likes[kind]) likes[kind] = weight
  }
  return likes.html > 0 && likes.html >= likes.json
}
