// GET, POST and DELETE /oauth/authorize, and /oauth/authorize/native: a user approves or denies an application's request.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { issueCode } from '../actions/auth/tokens.ts'
import type { App } from '../domain/auth/apps.ts'
import type { Scope } from '../domain/auth/scopes.ts'
import { hasToken } from '../domain/auth/tokens.ts'
import type { Session } from '../domain/auth/sessions.ts'
import { checkForm } from '../html/csrf.ts'
import { sendFormPage, textParam, type FormVisit } from '../html/form-page.ts'
import { currentSession, lastSessionId } from '../html/session.ts'
import { textsFor } from '../html/texts.ts'
import { isTrue } from '../http/coerce.ts'
import { NotFound } from '../lib/errors.ts'
import { html } from '../lib/html.ts'
import { compareIds, isId } from '../lib/ids.ts'
import { sendCode, sendError, showErrorPage } from './authorization-response.ts'
import {
  findRedirectTarget,
  parseAuthorizationRequest,
  REQUEST_PARAMS,
  requestParams,
  type RedirectTarget,
  type RequestParams,
  type AuthorizationRequest,
} from './authorization-request.ts'
import { OAuthError } from './errors.ts'

/** The consent page, which web/ provides. */
export type ShowConsent = (
  visit: FormVisit,
  consent: {
    app: App
    redirectUri: string
    scopes: Scope[]
    params: Record<string, string>
    session: Session
    signInLink: string
  },
) => Promise<FastifyReply>

export function registerAuthorize(app: FastifyInstance, ctx: Context, showConsent: ShowConsent): void {
  const params = [...REQUEST_PARAMS, 'force_login', 'lang']
  const page = (summary: string, names: readonly string[]) => ({
    config: { describes: [{ summary, contentType: 'text/html', params: names }] },
  })
  app.get('/oauth/authorize', page('Asks the user to authorise an application', params), async (request, reply) =>
    askForConsent({ ctx, request, reply }, showConsent),
  )
  app.get(
    '/oauth/authorize/native',
    page('Shows the code of an application without a redirect URI', ['code']),
    async (request, reply) => showCode({ ctx, request, reply }),
  )
  // HTML forms can only GET and POST, so the consent page posts a denial with `_method`.
  app.post(
    '/oauth/authorize',
    page('Approves or denies the request of an application', params),
    async (request, reply) => {
      const isDenial = textParam(request.body, '_method').toLowerCase() === 'delete'
      return isDenial ? deny({ ctx, request, reply }) : approve({ ctx, request, reply })
    },
  )
  app.delete('/oauth/authorize', async (request, reply) => deny({ ctx, request, reply }))
}

async function askForConsent(visit: FormVisit, showConsent: ShowConsent): Promise<FastifyReply> {
  const { ctx, request } = visit
  const params = requestParams(request.query)
  return withRedirectTarget(visit, params, async (target) => {
    const session = await currentSession(ctx, request)
    const isForced = isTrue(textParam(request.query, 'force_login'))
    const after = isForced ? await lastSessionId(ctx, request) : null
    if (!session || (isForced && !isFresh(session, request)))
      return visit.reply.redirect(signInLink(request, { again: isForced, after }))
    const asked = parseAuthorizationRequest(target.app, params)
    if (!isForced && (await hasToken(ctx, { appId: target.app.id, userId: session.userId, scopes: asked.scopes })))
      return sendNewCode(visit, target, asked, session)
    return showConsent(visit, {
      app: target.app,
      redirectUri: target.redirectUri,
      scopes: asked.scopes,
      params,
      session,
      signInLink: signInLink(request, { again: true, after }),
    })
  })
}

async function approve(visit: FormVisit): Promise<FastifyReply> {
  return decide(visit, (target, asked, session) => sendNewCode(visit, target, asked, session))
}

async function deny(visit: FormVisit): Promise<FastifyReply> {
  return decide(visit, async () => {
    throw new OAuthError('access_denied')
  })
}

async function decide(
  visit: FormVisit,
  decision: (target: RedirectTarget, asked: AuthorizationRequest, session: Session) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const { ctx, request, reply } = visit
  const params = requestParams({ ...(request.query as object), ...(request.body as object | undefined) })
  const session = await currentSession(ctx, request)
  if (!session)
    return reply.redirect(
      `/auth/sign_in?${new URLSearchParams({ next: `/oauth/authorize?${new URLSearchParams(params)}` })}`,
      303,
    )
  await checkForm(ctx, request)
  return withRedirectTarget(visit, params, (target) =>
    decision(target, parseAuthorizationRequest(target.app, params), session),
  )
}

async function sendNewCode(
  visit: FormVisit,
  { app, ...target }: RedirectTarget,
  { scopes, codeChallenge }: AuthorizationRequest,
  { id, userId }: Session,
): Promise<FastifyReply> {
  const code = await issueCode(visit.ctx, id, {
    appId: app.id,
    userId,
    redirectUri: target.redirectUri,
    scopes,
    codeChallenge,
  })
  if (code === null) throw new OAuthError('access_denied')
  return sendCode(visit, { app, ...target }, code)
}

/** Shows errors about the application or its address on a page, and sends all others to the application. */
async function withRedirectTarget(
  visit: FormVisit,
  params: RequestParams,
  work: (target: RedirectTarget) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  let target: RedirectTarget
  try {
    target = await findRedirectTarget(visit.ctx, params)
  } catch (error) {
    if (error instanceof OAuthError) return showErrorPage(visit, error)
    throw error
  }
  try {
    return await work(target)
  } catch (error) {
    if (error instanceof OAuthError) return sendError(visit, target, error)
    throw error
  }
}

/** The sign-in page, which leads back here. `again`: also with a session. `after`: as isFresh reads it. */
function signInLink(request: FastifyRequest, { again, after }: { again: boolean; after: string | null }): string {
  const params = new URLSearchParams(request.url.split('?')[1] ?? '')
  if (after !== null) params.set('after_session', after)
  return `/auth/sign_in?${new URLSearchParams({ ...(again ? { again: '1' } : {}), next: `/oauth/authorize?${params}` })}`
}

/**
 * Whether the user signed in after `force_login` required it: the session is newer than all sessions that the browser had then.
 * Switching to another one of those is no sign-in, as the application wants to know who uses the browser now.
 */
function isFresh(session: Session, request: FastifyRequest): boolean {
  const after = textParam(request.query, 'after_session')
  return isId(after) && compareIds(session.id, after) > 0
}

async function showCode(visit: FormVisit): Promise<FastifyReply> {
  const code = textParam(visit.request.query, 'code')
  // The page shows nothing but a code, as anyone can make a link to it.
  if (!/^[\w-]{43}$/.test(code)) throw new NotFound()
  const t = textsFor(visit.request).authorization
  return sendFormPage(visit, {
    title: t.code_title,
    body: () => html`<section class="card">
<h1>${t.code_heading}</h1>
<p class="lead">${t.code_lead}</p>
<code class="code-display">${code}</code>
<p class="muted">${t.code_caution}</p>
</section>`,
  })
}
