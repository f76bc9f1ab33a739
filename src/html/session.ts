import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { recordActivity } from '../domain/auth/activity.ts'
import { SESSION_DAYS, type Session, createSession, endSession, findSession } from '../domain/auth/sessions.ts'
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
  const secret = await createSession(ctx, { userId, ip: request.ip, userAgent: request.headers['user-agent'] ?? '' })
  if (before) await endSession(ctx, before.id)
  recordActivity(ctx, { userId })
  writeCookie(ctx, reply, COOKIE, secret, SESSION_DAYS)
}

export async function dropSession(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const session = await restrictedSession(ctx, request)
  if (session) await endSession(ctx, session.id)
  clearCookie(ctx, reply, COOKIE)
}

/** Only https cookies can carry the prefix that keeps other hosts of the same domain from setting them. */
const nameOf = (ctx: Context, name: string): string => (ctx.config.https ? `__Host-${name}` : name)

/** Scripts cannot read it, and other sites' forms do not send it. */
const optionsOf = (ctx: Context): CookieSerializeOptions => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax',
  secure: ctx.config.https,
})

export function readCookie(ctx: Context, request: FastifyRequest, name: string): string | null {
  const { cookie } = request.headers
  return (cookie === undefined ? null : request.server.parseCookie(cookie)[nameOf(ctx, name)]) || null
}

/** Without `days`, the cookie lasts until the browser closes. */
export function writeCookie(ctx: Context, reply: FastifyReply, name: string, value: string, days?: number): void {
  void reply.setCookie(nameOf(ctx, name), value, {
    ...optionsOf(ctx),
    ...(days === undefined ? {} : { maxAge: days * 86_400 }),
  })
}

export function clearCookie(ctx: Context, reply: FastifyReply, name: string): void {
  void reply.setCookie(nameOf(ctx, name), '', { ...optionsOf(ctx), maxAge: 0 })
}
