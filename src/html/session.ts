import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { recordActivity } from '../domain/auth/activity.ts'
import { createSession, endSessions } from '../actions/auth/sessions.ts'
import { SESSION_DAYS, type Session, findSession } from '../domain/auth/sessions.ts'
import { clearCookie, clearTokenCookie, readCookie, writeCookie, writeTokenCookie } from '../http/cookies.ts'
import { setLocale } from '../http/language.ts'

const COOKIE = 'rookery_session'

const found = new WeakMap<FastifyRequest, Promise<Session | null>>()

/** Null without a session, and for users who may not act. Reads it once per request, and sets the request's language. */
export async function currentSession(ctx: Context, request: FastifyRequest): Promise<Session | null> {
  const session = await restrictedSession(ctx, request)
  return session?.state === 'usable' ? session : null
}

/** As currentSession, but disabled and suspended users have one too. Only for pages that tell them what happened. */
export function restrictedSession(ctx: Context, request: FastifyRequest): Promise<Session | null> {
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
    if (session.state === 'usable') recordActivity(ctx, session)
    setLocale(request, session.locale)
  }
  return session
}

export function sessionSecret(ctx: Context, request: FastifyRequest): string | null {
  return readCookie(ctx, request, COOKIE)
}

/** Ends the browser's previous session. */
export async function startSession(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: string,
): Promise<void> {
  const before = await restrictedSession(ctx, request)
  const userAgent = request.headers['user-agent'] ?? ''
  const { secret, token } = await createSession(ctx, { userId, ip: request.ip, userAgent })
  if (before) await endSessions(ctx, before.userId, { id: before.id })
  recordActivity(ctx, { userId })
  writeCookie(ctx, reply, COOKIE, secret, SESSION_DAYS)
  writeTokenCookie(ctx, reply, token, SESSION_DAYS)
}

/** Ends the session, and has the browser delete what the web client stored on this device. */
export async function dropSession(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const session = await restrictedSession(ctx, request)
  if (session) await endSessions(ctx, session.userId, { id: session.id })
  clearCookie(ctx, reply, COOKIE)
  clearTokenCookie(ctx, reply)
  void reply.header('clear-site-data', '"cache", "storage"')
}
