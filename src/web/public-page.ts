// What all public pages share: who may see them, their frame, their headers.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Session } from '../domain/auth/sessions.ts'
import { getSettings, type Settings } from '../domain/server/settings.ts'
import { formToken } from '../html/csrf.ts'
import { userOf } from '../html/form-page.ts'
import { pageHeaders, renderPage, type Page, type PageLink } from '../html/page.ts'
import { findVisitor } from '../html/session.ts'
import { Unauthorized } from '../lib/errors.ts'

/** Somebody who looks at a page. */
export type Visit = {
  ctx: Context
  request: FastifyRequest
  reply: FastifyReply
  session: Session | null
  settings: Settings
}

export type PublicPage = Pick<Page, 'title' | 'body' | 'head' | 'kind' | 'lang' | 'noindex'>

/** How long caches may show a page to people who are not signed in: seconds. Short, since posts are deleted. */
const MAX_AGE = 15

/** Reads who is looking. `open` pages are there for everybody, others not where the server shows itself to its people only. */
export async function beginVisit(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  options: { open?: boolean } = {},
): Promise<Visit> {
  const [session, settings] = await Promise.all([findVisitor(ctx, request), getSettings(ctx)])
  if (ctx.config.limitedFederation && !session && !options.open)
    throw new Unauthorized('This page is for members of this server')
  return { ctx, request, reply, session, settings }
}

/** Sends a page in the site's frame. */
export async function sendPage(visit: Visit, page: PublicPage): Promise<FastifyReply> {
  const { ctx, request, reply, session, settings } = visit
  const user = session && userOf(ctx, session, await formToken(ctx, request, reply))
  void reply.headers({ ...pageHeaders({ https: ctx.config.https }), ...cacheHeaders(session) })
  return reply.send(
    renderPage({
      ...page,
      instanceName: settings.site_title,
      sourceUrl: ctx.config.sourceUrl,
      nav: session ? [] : guestLinks(settings),
      ...(user ? { user } : {}),
    }),
  )
}

/** Anonymous pages may be kept for a moment; what somebody sees who is signed in is theirs. */
export function cacheHeaders(session: Session | null): Record<string, string> {
  return {
    'cache-control': session ? 'private, no-store' : `public, max-age=${MAX_AGE}`,
    vary: 'Accept, Authorization, Cookie, Origin',
  }
}

function guestLinks({ registrations_mode }: Settings): PageLink[] {
  const signIn = { href: '/auth/sign_in', label: 'Sign in' }
  return registrations_mode === 'none' ? [signIn] : [{ href: '/auth/sign_up', label: 'Sign up' }, signIn]
}
