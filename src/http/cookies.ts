import { parseCookie, type SerializeOptions, stringifySetCookie } from 'cookie'
import type { FastifyReply } from 'fastify'
import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '../context.ts'
import { SESSION_DAYS } from '../domain/auth/sessions.ts'

/** Only https cookies can carry the prefix that keeps other hosts of the same domain from setting them. */
const nameOf = (ctx: Context, name: string): string => (ctx.config.https ? `__Host-${name}` : name)

/** Scripts cannot read it, and other sites' forms do not send it. */
const optionsOf = (ctx: Context): SerializeOptions => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax',
  secure: ctx.config.https,
})

type Request = { headers: IncomingHttpHeaders }

export function readCookie(ctx: Context, { headers: { cookie } }: Request, name: string): string | null {
  return (cookie === undefined ? null : parseCookie(cookie)[nameOf(ctx, name)]) || null
}

function setCookie(ctx: Context, reply: FastifyReply, name: string, value: string, options: SerializeOptions): void {
  void reply.header('set-cookie', stringifySetCookie({ name: nameOf(ctx, name), value, ...optionsOf(ctx), ...options }))
}

/** Without `days`, the cookie lasts until the browser closes. */
export const writeCookie = (ctx: Context, reply: FastifyReply, name: string, value: string, days?: number): void =>
  setCookie(ctx, reply, name, value, days === undefined ? {} : { maxAge: days * 86_400 })

/** One that scripts of the server's own pages read. */
export const writeOpenCookie = (ctx: Context, reply: FastifyReply, name: string, value: string, days: number): void =>
  setCookie(ctx, reply, name, value, { httpOnly: false, maxAge: days * 86_400 })

export const clearCookie = (ctx: Context, reply: FastifyReply, name: string): void =>
  setCookie(ctx, reply, name, '', { maxAge: 0 })

/** The host is that of the request: a browser without the cookie of this host cannot use it from another one. */
export const isOwnOrigin = (ctx: Context, origin: string, host: string | undefined): boolean =>
  origin === ctx.config.baseUrl || (host !== undefined && URL.parse(origin)?.host === host)

const TOKEN = 'rookery_token'

/** The access token of the web client. Only `Authorization: Session` and WebSockets of the server's own pages may use it. */
export const readTokenCookie = (ctx: Context, request: Request): string | null => readCookie(ctx, request, TOKEN)

export const writeTokenCookie = (ctx: Context, reply: FastifyReply, token: string): void =>
  writeCookie(ctx, reply, TOKEN, token, SESSION_DAYS)

export const clearTokenCookie = (ctx: Context, reply: FastifyReply): void => clearCookie(ctx, reply, TOKEN)
