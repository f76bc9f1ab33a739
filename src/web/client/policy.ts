import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'

/**
 * The content security policy of the web client: no script, style or request but the server's own. Media come from the addresses
 * that the server hands out, and embedded players from anywhere once they are asked for.
 */
export function clientPolicy(ctx: Context, request: FastifyRequest): string {
  const { https, clientDev } = ctx.config
  const media = https ? "'self' data: blob: https:" : "'self' data: blob: https: http:"
  // In some browsers 'self' means no WebSockets.
  const sockets = `${https ? 'wss' : 'ws'}://${request.host}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    // Vite's hot reload inserts styles.
    clientDev ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'",
    `connect-src 'self' ${sockets}`,
    `img-src ${media}`,
    `media-src ${media}`,
    "font-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    'frame-src https:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
