// Who is signed in with a browser: the session cookie.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { recordActivity } from '../domain/auth/activity.ts'
import { createSession, endSession, findSession, SESSION_DAYS, type Session } from '../domain/auth/sessions.ts'
import { setLocale } from '../http/language.ts'
import { clearCookie, readCookie, writeCookie } from './cookies.ts'

const COOKIE = 'rookery_session'

const found = new WeakMap<FastifyRequest, Promise<Session | null>>()

/** Who looks at a page, or null for anybody. Read once per request. */
export function findVisitor(ctx: Context, request: FastifyRequest): Promise<Session | null> {
  const known = found.get(request)
  if (known) return known
  const session = read(ctx, request)
  found.set(request, session)
  return session
}

async function read(ctx: Context, request: FastifyRequest): Promise<Session | null> {
  const secret = sessionSecret(ctx, request)
  const session = secret === null ? null : await findSession(ctx, secret)
  if (session) {
    recordActivity(ctx, session)
    setLocale(request, session.locale)
  }
  return session
}

/** What the browser proves its session with. */
export function sessionSecret(ctx: Context, request: FastifyRequest): string | null {
  return readCookie(ctx, request, COOKIE)
}

/** Signs somebody in with this browser, in place of whoever was. */
export async function startSession(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: string,
): Promise<void> {
  const before = await findVisitor(ctx, request)
  const secret = await createSession(ctx, { userId, ip: request.ip, userAgent: request.headers['user-agent'] ?? '' })
  if (before) await endSession(ctx, before.id)
  recordActivity(ctx, { userId })
  writeCookie(ctx, reply, COOKIE, secret, SESSION_DAYS)
}

/** Signs out with this browser. */
export async function dropSession(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const session = await findVisitor(ctx, request)
  if (session) await endSession(ctx, session.id)
  clearCookie(ctx, reply, COOKIE)
}
