// CSRF tokens: bound to the session or, before there is one, to a signed cookie.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from '../context.ts'
import { getSecrets } from '../domain/server/secrets.ts'
import { Forbidden } from '../lib/errors.ts'
import { message } from '../messages/message.ts'
import { isOwnOrigin, readCookie, writeCookie } from '../http/cookies.ts'
import { currentSession, sessionSecret } from './session.ts'

const COOKIE = 'rookery_visit'

/** Without a session, sets the cookie to which the token is bound. */
export async function formToken(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<string> {
  const { cookieKey } = await getSecrets(ctx)
  let bound = await boundTo(ctx, request, cookieKey)
  if (bound === null) {
    const visit = randomBytes(16).toString('base64url')
    const signed = `${visit}.${sign(cookieKey, `visit ${visit}`)}`
    writeCookie(ctx, reply, COOKIE, signed)
    bound = `visit ${visit}`
  }
  return sign(cookieKey, `form ${bound}`)
}

/** Throws Forbidden unless the request comes from a form on a page of this server, in the same browser. */
export async function checkForm(ctx: Context, request: FastifyRequest): Promise<void> {
  const { origin } = request.headers
  // Browsers send the origin of a form; other clients may leave it out.
  if (origin !== undefined && !isOwnOrigin(ctx, origin, request.host)) throw new Forbidden(message('form_foreign'))
  const { cookieKey } = await getSecrets(ctx)
  const bound = await boundTo(ctx, request, cookieKey)
  const given = (request.body as Record<string, unknown> | null | undefined)?.csrf_token
  if (bound === null || typeof given !== 'string' || !isEqual(given, sign(cookieKey, `form ${bound}`)))
    throw new Forbidden(message('form_expired'))
}

/** The session or the signed cookie. Null when the browser sends neither. */
async function boundTo(ctx: Context, request: FastifyRequest, key: Buffer): Promise<string | null> {
  if (await currentSession(ctx, request)) return `session ${sessionSecret(ctx, request)}`
  const [visit = '', signature = ''] = (readCookie(ctx, request, COOKIE) ?? '').split('.')
  return visit !== '' && isEqual(signature, sign(key, `visit ${visit}`)) ? `visit ${visit}` : null
}

const sign = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('base64url')

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
