// The web client for signed-in browsers, at its own addresses and at those of public pages.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sessionTokenOf } from '../../domain/auth/web-client.ts'
import type { Session } from '../../domain/auth/sessions.ts'
import { findCaller } from '../../domain/auth/viewer.ts'
import { getSettings } from '../../domain/server/settings.ts'
import { readSiteLook } from '../../domain/server/site-uploads.ts'
import type { Context } from '../../context.ts'
import { currentSession, otherSessions, restrictedSession, sessionSecret, TWO_FACTOR_PATH } from '../../html/session.ts'
import { signInPath } from '../../html/signed-in-page.ts'
import { textsFor } from '../../html/texts.ts'
import { themeOf, themeTags } from '../../html/theme.ts'
import { clearCookie, readCookie, readTokenCookie, writeCookie, writeTokenCookie } from '../../http/cookies.ts'
import { etagOf, hasVersion } from '../../http/headers.ts'
import { NotFound } from '../../lib/errors.ts'
import { html } from '../../lib/html.ts'
import { isActivityRequest } from '../../net/content-types.ts'
import { CLIENT_SEGMENTS, isClientPath } from './addresses.ts'
import { clientBuild, type ClientBuild } from './build.ts'
import { registerClientFiles } from './files.ts'
import { clientPolicy } from './policy.ts'
import { registerShare } from './share.ts'

/**
 * For browsers without JavaScript, or without what the client needs: until they close, they receive the server-rendered pages.
 */
const OFF = 'rookery_client'

export function registerClient(app: FastifyInstance, ctx: Context): void {
  registerClientFiles(app, ctx)
  registerShare(app)
  // Says at start-up whether the client is missing.
  isBuilt(ctx)
  app.addHook('onRequest', (request, reply, done) => {
    const path = request.url.split('?', 1)[0] as string
    const reads = request.method === 'GET' || request.method === 'HEAD'
    const mayServe = reads && isClientPath(path) && !isActivityRequest(request.headers.accept)
    // Without a session, the server's own pages answer. Most requests have none.
    if (!mayServe || sessionSecret(ctx, request) === null) return done()
    return serveClient(ctx, request, reply)
  })
  for (const segment of CLIENT_SEGMENTS)
    for (const path of [`/${segment}`, `/${segment}/*`])
      app.get(path, async (request, reply) => {
        if (!isBuilt(ctx)) throw new NotFound()
        const isSignedIn = (await currentSession(ctx, request)) !== null
        void reply.header('cache-control', 'no-store')
        return reply.redirect(isSignedIn ? '/' : signInPath(request.url))
      })
}

const isBuilt = (ctx: Context): boolean => ctx.config.clientDev || clientBuild(ctx) !== null

/** Whether the user of this browser has chosen the server-rendered pages, although the client is built. */
export const isClientOff = (ctx: Context, request: FastifyRequest): boolean =>
  isBuilt(ctx) && readCookie(ctx, request, OFF) === 'off'

/** Sends the client. Returns undefined without a response when a server-rendered page must answer. */
async function serveClient(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const session = await restrictedSession(ctx, request)
  if (session?.state === 'missing_2fa' && request.url === '/') return reply.redirect(TWO_FACTOR_PATH)
  if (session?.state !== 'usable' || !isBuilt(ctx)) return undefined
  const { client } = request.query as { client?: unknown }
  if (client === 'on' || client === 'off') {
    if (client === 'off') writeCookie(ctx, reply, { name: OFF, value: 'off' })
    else clearCookie(ctx, reply, OFF)
    return reply.header('cache-control', 'no-store').redirect(withoutChoice(request.url))
  }
  if (isClientOff(ctx, request)) return undefined
  await ensureToken(ctx, request, reply, session)
  return sendShell(ctx, request, reply, session)
}

/**
 * The address without the parameter `client`. Without dot segments, it could begin with two slashes and lead to another server.
 */
function withoutChoice(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://here.invalid')
  searchParams.delete('client')
  const query = searchParams.size > 0 ? `?${searchParams}` : ''
  return pathname.replace(/^\/+/, '/') + query
}

/** For sessions that began before there were tokens, or whose token was revoked. */
async function ensureToken(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
): Promise<void> {
  const token = readTokenCookie(ctx, request)
  const caller = token === null ? null : await findCaller(ctx, token)
  if (caller?.token.userId === session.userId) return
  writeTokenCookie(ctx, reply, await sessionTokenOf(ctx, session))
}

async function sendShell(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
): Promise<FastifyReply> {
  const body = await renderShell(ctx, request, session)
  const etag = etagOf(body)
  void reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': clientPolicy(ctx, request),
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    // Nothing in it is private but the ids of accounts, the language and the theme.
    'cache-control': 'private, no-cache',
    vary: 'Accept, Accept-Language, Authorization, Cookie, Origin',
    etag,
  })
  if (hasVersion(request, etag)) return reply.status(304).send()
  return reply.send(body)
}

const DEV_BUILD = { script: 'src/main.tsx', styles: [], preloads: () => [] }

async function renderShell(ctx: Context, request: FastifyRequest, { accountId }: Session): Promise<string> {
  const [{ site_title: title }, look, sessions] = await Promise.all([
    getSettings(ctx),
    readSiteLook(ctx),
    otherSessions(ctx, request),
  ])
  const others = sessions.map((other) => other.accountId).join(' ')
  const t = textsFor(request)
  const { clientDev } = ctx.config
  const build: Pick<ClientBuild, 'script' | 'styles' | 'preloads'> = (!clientDev && clientBuild(ctx)) || DEV_BUILD
  const theme = themeOf(request)
  const off = `${request.url}${request.url.includes('?') ? '&' : '?'}client=off`
  return String(html`<!doctype html>
<html lang="${t.language}" dir="${t.direction}" data-account="${accountId}"${others && html` data-other-accounts="${others}"`}${theme && html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
${themeTags(theme)}
<title>${title}</title>
${build.styles.map((file) => html`<link rel="stylesheet" href="/client/${file}">`)}
${look.stylesheet && html`<link rel="stylesheet" href="${look.stylesheet}">`}
${clientDev && html`<script type="module" src="/client/@vite/client"></script>`}
<script type="module" src="/client/${build.script}"></script>
${build.preloads(t.language).map((file) => html`<link rel="modulepreload" href="/client/${file}">`)}
<link rel="manifest" href="/manifest.webmanifest">
${look.icon ? html`<link rel="icon" href="${look.icon}" type="image/png">` : html`<link rel="icon" href="/assets/logo.svg" type="image/svg+xml">`}
<link rel="apple-touch-icon" href="${look.touchIcon ?? '/assets/icon.png'}">
<noscript><meta http-equiv="refresh" content="${`0; url=${off}`}"></noscript>
</head>
<body>
<div id="app"></div>
<noscript><p><a href="${off}">${t.client.without_script}</a></p></noscript>
</body>
</html>
`)
}
