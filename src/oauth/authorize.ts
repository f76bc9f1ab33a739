// GET, POST and DELETE /oauth/authorize, and /oauth/authorize/native: a user approves or denies an application's request.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { App } from '../domain/auth/apps.ts'
import { hasToken, issueGrant } from '../domain/auth/tokens.ts'
import type { Session } from '../domain/auth/sessions.ts'
import { checkForm } from '../html/csrf.ts'
import { sendFormPage, textParam, type FormVisit } from '../html/form-page.ts'
import { currentSession } from '../html/session.ts'
import { NotFound } from '../lib/errors.ts'
import { html } from '../lib/html.ts'
import { sendCode, sendError, showErrorPage } from './authorization-response.ts'
import {
  findRedirectTarget,
  parseAuthorizationRequest,
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
    scopes: string[]
    params: Record<string, string>
    session: Session
    signInLink: string
  },
) => Promise<FastifyReply>

/** Registers the authorisation endpoint. */
export function registerAuthorize(app: FastifyInstance, ctx: Context, showConsent: ShowConsent): void {
  const params = [
    'response_type',
    'client_id',
    'redirect_uri',
    'scope',
    'state',
    'code_challenge',
    'code_challenge_method',
    'force_login',
    'lang',
  ]
  const page = (summary: string, names: readonly string[]) => ({
    config: { describes: [{ summary, answers: 'text/html', params: names }] },
  })
  app.get(
    '/oauth/authorize',
    page('Asks the person whether an application may act for them', params),
    async (request, reply) => ask({ ctx, request, reply }, showConsent),
  )
  app.get(
    '/oauth/authorize/native',
    page('Shows the code for an application without an address', ['code']),
    async (request, reply) => showCode({ ctx, request, reply }),
  )
  // Browsers' forms only know GET and POST.
  app.post(
    '/oauth/authorize',
    page('Lets the application act for the person, or not', params),
    async (request, reply) => {
      const isDenial = textParam(request.body, '_method').toLowerCase() === 'delete'
      return isDenial ? deny({ ctx, request, reply }) : approve({ ctx, request, reply })
    },
  )
  app.delete('/oauth/authorize', async (request, reply) => deny({ ctx, request, reply }))
}

async function ask(visit: FormVisit, showConsent: ShowConsent): Promise<FastifyReply> {
  const { ctx, request } = visit
  const params = requestParams(request.query)
  return withRedirectTarget(visit, params, async (target) => {
    const session = await currentSession(ctx, request)
    const isForced = isTrue(textParam(request.query, 'force_login'))
    if (!session || (isForced && !isFresh(session, request)))
      return visit.reply.redirect(signInLink(request, isForced ? (session?.id ?? '0') : null))
    const asked = parseAuthorizationRequest(target.app, params)
    if (!isForced && (await hasToken(ctx, { appId: target.app.id, userId: session.userId, scopes: asked.scopes })))
      return grant(visit, target, asked, session)
    return showConsent(visit, {
      app: target.app,
      redirectUri: target.redirectUri,
      scopes: asked.scopes,
      params,
      session,
      signInLink: signInLink(request, session.id),
    })
  })
}

async function approve(visit: FormVisit): Promise<FastifyReply> {
  return decide(visit, (target, asked, session) => grant(visit, target, asked, session))
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

async function grant(
  visit: FormVisit,
  { app, ...target }: RedirectTarget,
  { scopes, codeChallenge }: AuthorizationRequest,
  { userId }: Session,
): Promise<FastifyReply> {
  const code = await issueGrant(visit.ctx, {
    appId: app.id,
    userId,
    redirectUri: target.redirectUri,
    scopes,
    codeChallenge,
  })
  return sendCode(visit, { app, ...target }, code)
}

/** Errors about who asks are shown and never sent on; all others are for the application. */
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

/** The sign-in page, and back here. With `before`, a session's id, whoever is signed in has to sign in anew. */
function signInLink(request: FastifyRequest, before: string | null): string {
  const params = new URLSearchParams(request.url.split('?')[1] ?? '')
  if (before) params.set('after_session', before)
  return `/auth/sign_in?${new URLSearchParams({ ...(before ? { again: '1' } : {}), next: `/oauth/authorize?${params}` })}`
}

/** Whether somebody signed in because `force_login` asked for it: since then the session is another one. */
function isFresh(session: Session, request: FastifyRequest): boolean {
  const before = textParam(request.query, 'after_session')
  return before !== '' && before !== session.id
}

const isTrue = (text: string): boolean => text !== '' && !/^(0|f|false|off)$/i.test(text)

async function showCode(visit: FormVisit): Promise<FastifyReply> {
  const code = textParam(visit.request.query, 'code')
  // Nothing but a code is shown: whoever makes up a link could have this page say what they like.
  if (!/^[\w-]{43}$/.test(code)) throw new NotFound()
  return sendFormPage(visit, {
    title: 'Authorisation code',
    body: () => html`<section class="card">
<h1>Your code</h1>
<p class="lead">Copy this code and paste it into the application.</p>
<code class="code-display">${code}</code>
<p class="muted">It works once, within the next ten minutes. Give it to nobody else.</p>
</section>`,
  })
}
