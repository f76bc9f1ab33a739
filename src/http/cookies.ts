import { type CookieSerializeOptions, fastifyCookie } from '@fastify/cookie'
import type { FastifyReply } from 'fastify'
import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '../context.ts'
import { SESSION_DAYS } from '../domain/auth/sessions.ts'

/** Only https cookies can carry the prefix that keeps other hosts of the same domain from setting them. */
const nameOf = (ctx: Context, name: string): string => (ctx.config.https ? `__Host-${name}` : name)

/** Scripts cannot read it, and other sites' forms do not send it. */
const optionsOf = (ctx: Context): CookieSerializeOptions => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax',
  secure: ctx.config.https,
})

type Request = { headers: IncomingHttpHeaders }

export function readCookie(ctx: Context, { headers: { cookie } }: Request, name: string): string | null {
  return (cookie === undefined ? null : fastifyCookie.parse(cookie)[nameOf(ctx, name)]) || null
}

/** Without `days`, the cookie lasts until the browser closes. */
export function writeCookie(ctx: Context, reply: FastifyReply, name: string, value: string, days?: number): void {
  void reply.setCookie(nameOf(ctx, name), value, {
    ...optionsOf(ctx),
    ...(days === undefined ? {} : { maxAge: days * 86_400 }),
  })
}

/** One that scripts of the server's own pages read. */
export function writeOpenCookie(ctx: Context, reply: FastifyReply, name: string, value: string, days: number): void {
  void reply.setCookie(nameOf(ctx, name), value, { ...optionsOf(ctx), httpOnly: false, maxAge: days * 86_400 })
}

export function clearCookie(ctx: Context, reply: FastifyReply, name: string): void {
  void reply.setCookie(nameOf(ctx, name), '', { ...optionsOf(ctx), maxAge: 0 })
}

/** The host is that of the request: a browser without the cookie of this host cannot use it from another one. */
export const isOwnOrigin = (ctx: Context, origin: string, host: string | undefined): boolean =>
  origin === ctx.config.baseUrl || (host !== undefined && URL.parse(origin)?.host === host)

const TOKEN = 'rookery_token'

/** The access token of the web client. Only `Authorization: Session` and WebSockets of the server's own pages may use it. */
export const readTokenCookie = (ctx: Context, request: Request): string | null => readCookie(ctx, request, TOKEN)

export const writeTokenCookie = (ctx: Context, reply: FastifyReply, token: string): void =>
  writeCookie(ctx, reply, TOKEN, token, SESSION_DAYS)

export const clearTokenCookie = (ctx: Context, reply: FastifyReply): void => clearCookie(ctx, reply, TOKEN)
