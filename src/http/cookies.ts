import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply } from 'fastify'
import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '../context.ts'
import { SESSION_DAYS } from '../domain/auth/sessions.ts'

/** Only https cookies can carry the prefix that keeps other hosts of the same domain from setting them. */
const nameOf = (ctx: Context, name: string): string => (ctx.config.https ? `__Host-${name}` : name)

type Request = { headers: IncomingHttpHeaders }

export function readCookie(ctx: Context, { headers: { cookie } }: Request, name: string): string | null {
  return (cookie === undefined ? null : parseCookie(cookie)[nameOf(ctx, name)]) || null
}

type Cookie = {
  name: string
  value: string
  /** Without it, the cookie lasts until the browser closes. */
  days?: number
  /** Scripts of the server's own pages may read it. */
  isOpen?: boolean
}

/** Other sites' forms do not send the cookie. */
export function writeCookie(ctx: Context, reply: FastifyReply, { name, value, days, isOpen = false }: Cookie): void {
  const cookie = stringifySetCookie({
    name: nameOf(ctx, name),
    value,
    path: '/',
    httpOnly: !isOpen,
    sameSite: 'lax',
    secure: ctx.config.https,
    ...(days === undefined ? {} : { maxAge: days * 86_400 }),
  })
  void reply.header('set-cookie', cookie)
}

export const clearCookie = (ctx: Context, reply: FastifyReply, name: string): void =>
  writeCookie(ctx, reply, { name, value: '', days: 0 })

/** The host is that of the request: a browser without the cookie of this host cannot use it from another one. */
export const isOwnOrigin = (ctx: Context, origin: string, host: string | undefined): boolean =>
  origin === ctx.config.baseUrl || (host !== undefined && URL.parse(origin)?.host === host)

const TOKEN = 'rookery_token'

/** The access token of the web client. Only `Authorization: Session` and WebSockets of the server's own pages may use it. */
export const readTokenCookie = (ctx: Context, request: Request): string | null => readCookie(ctx, request, TOKEN)

export const writeTokenCookie = (ctx: Context, reply: FastifyReply, token: string): void =>
  writeCookie(ctx, reply, { name: TOKEN, value: token, days: SESSION_DAYS })

export const clearTokenCookie = (ctx: Context, reply: FastifyReply): void => clearCookie(ctx, reply, TOKEN)
