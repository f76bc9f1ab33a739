import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'

/** Only https cookies can carry the prefix that keeps other hosts of the same domain from setting them. */
const nameOf = (ctx: Context, name: string): string => (ctx.config.https ? `__Host-${name}` : name)

/** The value of a cookie of ours, or null. */
export function readCookie(ctx: Context, request: FastifyRequest, name: string): string | null {
  const wanted = `${nameOf(ctx, name)}=`
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const text = pair.trim()
    if (text.startsWith(wanted)) return text.slice(wanted.length) || null
  }
  return null
}

/** Sets a cookie that scripts cannot read and foreign forms do not bring along. Without `days` it goes when the browser closes. */
export function writeCookie(ctx: Context, reply: FastifyReply, name: string, value: string, days?: number): void {
  addCookie(ctx, reply, name, value, days === undefined ? '' : `; Max-Age=${days * 86_400}`)
}

/** Removes a cookie. */
export function clearCookie(ctx: Context, reply: FastifyReply, name: string): void {
  addCookie(ctx, reply, name, '', '; Max-Age=0')
}

function addCookie(ctx: Context, reply: FastifyReply, name: string, value: string, age: string): void {
  // Fastify keeps several cookies of one answer apart.
  void reply.header(
    'set-cookie',
    `${nameOf(ctx, name)}=${value}; Path=/; HttpOnly; SameSite=Lax${ctx.config.https ? '; Secure' : ''}${age}`,
  )
}
