// The frame, access rule and headers of all public pages.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { AccountRow } from '../domain/accounts/find.ts'
import type { Session } from '../domain/auth/sessions.ts'
import { type Settings, getSettings } from '../domain/server/settings.ts'
import { readSiteLook } from '../domain/server/site-uploads.ts'
import { hasTerms } from '../domain/terms/terms.ts'
import { formToken } from '../html/csrf.ts'
import { userOf } from '../html/form-page.ts'
import { pageHeaders, renderPage, type HtmlPage, type PageLink } from '../html/page.ts'
import { currentSession } from '../html/session.ts'
import { textsFor } from '../html/texts.ts'
import { themeOf } from '../html/theme.ts'
import { plainHttpUrl } from '../lib/http-url.ts'
import { Unauthorized } from '../lib/errors.ts'
import type { Texts } from '../messages/pages.ts'
import { isClientOff } from './client/shell.ts'

export type PublicVisit = {
  ctx: Context
  request: FastifyRequest
  reply: FastifyReply
  session: Session | null
  settings: Settings
  texts: Texts
}

/** `document`: the address of the ActivityPub document that the page shows; `handle`: of the account that the page is about. */
type PublicPage = Pick<HtmlPage, 'title' | 'body' | 'head' | 'kind' | 'noindex'> & {
  document?: string
  handle?: string
}

/** For pages without a session, in seconds. Short, since posts are deleted. */
const MAX_AGE = 15

/** With limited federation, throws Unauthorized without a session unless the page is `open`. */
export async function beginVisit(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  options: { open?: boolean } = {},
): Promise<PublicVisit> {
  const [session, settings] = await Promise.all([currentSession(ctx, request), getSettings(ctx)])
  if (ctx.config.limitedFederation && !session && !options.open)
    throw new Unauthorized(textsFor(request).layout.members_only)
  return { ctx, request, reply, session, settings, texts: textsFor(request) }
}

export async function sendPage(visit: PublicVisit, { document, handle, ...page }: PublicPage): Promise<FastifyReply> {
  const { ctx, request, reply, session, settings, texts } = visit
  const user = session && userOf(ctx, session, await formToken(ctx, request, reply))
  void reply.headers({ ...pageHeaders({ https: ctx.config.https }), ...cacheHeaders(session) })
  const links = [
    handle && `<${webfingerUrl(ctx, handle)}>; rel="lrdd"; type="application/jrd+json"`,
    document && `<${document}>; rel="alternate"; type="application/activity+json"`,
  ]
  const given = links.filter((link) => link !== undefined)
  if (given.length > 0) void reply.header('link', given.join(', '))
  return reply.send(
    renderPage({
      ...page,
      instanceName: settings.site_title,
      sourceUrl: ctx.config.sourceUrl,
      hasTerms: await hasTerms(ctx),
      texts,
      theme: themeOf(request),
      nav: session ? [] : guestLinks(settings, texts),
      look: await readSiteLook(ctx),
      ...(user ? { user } : {}),
      ...(session && isClientOff(ctx, request) ? { clientUrl: clientAddress(request.url) } : {}),
    }),
  )
}

const webfingerUrl = (ctx: Context, handle: string): string =>
  `${ctx.config.baseUrl}/.well-known/webfinger?${new URLSearchParams({ resource: `acct:${handle}` })}`

/** The address of the same page in the web client. */
const clientAddress = (url: string): string => `${url.split('?', 1)[0]}?client=on`

/** Caches may share a page without a session for a moment, and never one for a signed-in user. */
export function cacheHeaders(session: Session | null): Record<string, string> {
  return {
    'cache-control': session ? 'private, no-store' : `public, max-age=${MAX_AGE}`,
    vary: 'Accept, Accept-Language, Authorization, Cookie, Origin',
  }
}

function guestLinks({ registrations_mode }: Settings, { layout }: Texts): PageLink[] {
  const signIn = { href: '/auth/sign_in', label: layout.sign_in }
  return registrations_mode === 'none' ? [signIn] : [{ href: '/auth/sign_up', label: layout.sign_up }, signIn]
}

/**
 * The address of a remote account or one of its posts, if it is on the account's own server; null otherwise. Redirects to any
 * other address would let links to this server lead anywhere.
 */
export function ownAddress(account: Pick<AccountRow, 'domain' | 'uri'>, address: string | null): string | null {
  const url = plainHttpUrl(address ?? '')
  if (!url) return null
  const hosts = [account.domain, URL.parse(account.uri ?? '')?.host]
  return hosts.includes(url.host) ? url.href : null
}
