// Pages with forms. They are never cached, since each has the CSRF token of one browser.
import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { accountUrl, standardImageUrl } from '../domain/server/addresses.ts'
import type { Session } from '../domain/auth/sessions.ts'
import { getSettings } from '../domain/server/settings.ts'
import { hasTerms } from '../domain/terms/terms.ts'
import { readSiteLook } from '../domain/server/site-uploads.ts'
import type { HttpExchange } from '../http/route.ts'
import { NotFound } from '../lib/errors.ts'
import type { Html } from '../lib/html.ts'
import { isId } from '../lib/ids.ts'
import { formToken } from './csrf.ts'
import { csrfField, pageHeaders, renderPage, type HtmlPage } from './page.ts'
import { currentSession } from './session.ts'
import { textsFor } from './texts.ts'
import { themeOf } from './theme.ts'

export type FormVisit = HttpExchange

export type FormPage = Pick<HtmlPage, 'title' | 'notice' | 'script'> & {
  /** `narrow` unless given. */
  kind?: 'narrow' | 'wide' | 'reading'
  /** `csrf` is the hidden field that every form needs. */
  body: (csrf: Html) => Html
  status?: number
  /** Null where the redirects after a form may lead to any address: see PageHeaderOptions. */
  formAction?: string | null
  policy?: string
}

/** Also sets the cookie to which the CSRF token is bound. */
export async function sendFormPage(visit: FormVisit, page: FormPage): Promise<FastifyReply> {
  const { ctx, request, reply } = visit
  const [session, settings, look, withTerms, token] = await Promise.all([
    currentSession(ctx, request),
    getSettings(ctx),
    readSiteLook(ctx),
    hasTerms(ctx),
    formToken(ctx, request, reply),
  ])
  const { kind = 'narrow' } = page
  const user = session && userOf(ctx, session, token)
  const headers = pageHeaders({
    https: ctx.config.https,
    ...(page.formAction === undefined ? {} : { formAction: page.formAction }),
  })
  if (page.script) headers['content-security-policy'] += "; script-src 'self'"
  if (page.policy) headers['content-security-policy'] += `; ${page.policy}`
  void reply.status(page.status ?? 200).headers({ ...headers, 'cache-control': 'private, no-store' })
  return reply.send(
    renderPage({
      title: page.title,
      instanceName: settings.site_title,
      sourceUrl: ctx.config.sourceUrl,
      hasTerms: withTerms,
      texts: textsFor(request),
      theme: themeOf(request),
      // Styles of the administrators could hide the page where they are edited, and send what is in fields to other servers.
      look: { ...look, stylesheet: null },
      noindex: true,
      ...(kind === 'reading' ? {} : { kind }),
      body: page.body(csrfField(token)),
      ...(page.notice ? { notice: page.notice } : {}),
      ...(page.script ? { script: page.script } : {}),
      // A narrow page has a single form and no sign-out button: scripts submit the first form that they find.
      ...(user ? { user: kind === 'narrow' ? { ...user, signOut: undefined } : user } : {}),
    }),
  )
}

export function userOf(
  ctx: Context,
  { username, avatarKey, isStaff }: Session,
  csrfToken: string,
): NonNullable<HtmlPage['user']> {
  const avatarUrl = avatarKey === null ? standardImageUrl(ctx, 'avatar') : ctx.files.url(avatarKey)
  return {
    username,
    url: accountUrl(ctx, username),
    avatarUrl,
    isStaff,
    signOut: { action: '/auth/sign_out', csrfToken },
  }
}

/**
 * The empty string unless the parameter was sent as one text. `user[email]` is `textParam(body, 'user', 'email')`. Browsers send
 * line breaks as CRLF, but count each as one character of a field's `maxlength`.
 */
export function textParam(params: unknown, ...path: string[]): string {
  let value = params
  for (const key of path)
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\r\n', '\n') : ''
}

/** The parameter `id` of the path. Throws NotFound for text that is no id. */
export function pathId({ request }: Pick<FormVisit, 'request'>): string {
  const { id } = request.params as { id: string }
  if (!isId(id)) throw new NotFound()
  return id
}
