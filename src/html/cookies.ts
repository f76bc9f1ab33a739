import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'

/** Only https cookies can carry the prefix that keeps other hosts of the same domain from setting them. */
const nameOf = (ctx: Context, name: string): string => (ctx.config.https ? `__Host-${name}` : name)

/** Scripts cannot read it, and other sites' forms do not send it. */
const optionsOf = (ctx: Context): CookieSerializeOptions => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax',
  secure: ctx.config.https,
})

/** The value of a cookie that this server set, or null. */
export const readCookie = (ctx: Context, request: FastifyRequest, name: string): string | null =>
  request.cookies[nameOf(ctx, name)] || null

/** Sets a cookie. Without `days` it lasts until the browser closes. */
export function writeCookie(ctx: Context, reply: FastifyReply, name: string, value: string, days?: number): void {
  void reply.setCookie(nameOf(ctx, name), value, {
    ...optionsOf(ctx),
    ...(days === undefined ? {} : { maxAge: days * 86_400 }),
  })
}

/** Removes a cookie. */
export function clearCookie(ctx: Context, reply: FastifyReply, name: string): void {
  void reply.setCookie(nameOf(ctx, name), '', { ...optionsOf(ctx), maxAge: 0 })
}
