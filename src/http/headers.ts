// Headers that all responses have in common: those of routes, the error handler, or the socket before there is a request.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/** Paths that any origin may read: what clients in browsers call. */
const CORS = /^\/(api\/|oauth\/(token|revoke|userinfo)|\.well-known\/|nodeinfo\/|@|users\/|health)/
const EXPOSED =
  'Link, X-RateLimit-Reset, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id, Mastodon-Async-Refresh'

/** Allows every origin to read the answer. Without credentials, so cookies mean nothing to it. */
export const CORS_HEADERS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED }

/** JSON is not rendered, framed or run by a browser, even one that is led straight to it. */
export const JSON_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** Sets the headers of every answer; CORS where other origins may read it. */
export function setCommonHeaders(config: Config, request: FastifyRequest, reply: FastifyReply): void {
  void reply
    .header('x-request-id', request.id)
    .header('x-content-type-options', 'nosniff')
    .header('vary', 'Accept, Authorization, Origin')
  // For two years, as Mastodon's documentation sets it. Other names below the domain are not ours to decide on.
  if (config.https) void reply.header('strict-transport-security', 'max-age=63072000')
  if (!CORS.test(request.url)) return
  void reply.headers(CORS_HEADERS)
  if (request.method !== 'OPTIONS') return
  void reply
    .header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE, OPTIONS')
    .header('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '*')
    .header('access-control-max-age', '86400')
}

/** The value of WWW-Authenticate (RFC 6750). The realm is part of what clients of this API know. */
export function bearerChallenge(error: string, description: string, scope?: string): string {
  // RFC 6750 allows neither quotes nor anything outside ASCII here.
  const quotable = description.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "'")
  return `Bearer realm="Doorkeeper", error="${error}", error_description="${quotable}"${scope === undefined ? '' : `, scope="${scope}"`}`
}
