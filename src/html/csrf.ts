// CSRF tokens: bound to the session or, before there is one, to a signed cookie.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import { isSignature, signatureOf } from '../domain/server/secrets.ts'
import { Forbidden } from '../lib/errors.ts'
import { message } from '../messages/message.ts'
import { isOwnOrigin, readCookie, writeCookie } from '../http/cookies.ts'
import { currentSession, sessionSecret } from './session.ts'

const COOKIE = 'rookery_visit'

/** Without a session, sets the cookie to which the token is bound. */
export async function formToken(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<string> {
  let bound = await boundTo(ctx, request)
  if (bound === null) {
    const visit = randomBytes(16).toString('base64url')
    const signed = `${visit}.${signatureOf(ctx, `visit ${visit}`)}`
    writeCookie(ctx, reply, { name: COOKIE, value: signed })
    bound = `visit ${visit}`
  }
  return signatureOf(ctx, `form ${bound}`)
}

/** Throws Forbidden unless the request comes from a form on a page of this server, in the same browser. */
export async function checkForm(ctx: Context, request: FastifyRequest): Promise<void> {
  const { origin } = request.headers
  // Browsers send the origin of a form; other clients may leave it out.
  if (origin !== undefined && !isOwnOrigin(ctx, origin, request.host)) throw new Forbidden(message('form_foreign'))
  const bound = await boundTo(ctx, request)
  const given = (request.body as Record<string, unknown> | null | undefined)?.csrf_token
  if (bound === null || typeof given !== 'string' || !isSignature(ctx, `form ${bound}`, given))
    throw new Forbidden(message('form_expired'))
}

/** The session or the signed cookie. Null when the browser sends neither. */
async function boundTo(ctx: Context, request: FastifyRequest): Promise<string | null> {
  if (await currentSession(ctx, request)) return `session ${sessionSecret(ctx, request)}`
  const [visit = '', signature = ''] = (readCookie(ctx, request, COOKIE) ?? '').split('.')
  return visit !== '' && isSignature(ctx, `visit ${visit}`, signature) ? `visit ${visit}` : null
}
