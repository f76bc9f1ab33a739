// Headers that all responses have in common: those of routes, the error handler, or the socket before there is a request.
import { hash } from 'node:crypto'
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

// What clients and caches may keep of an API answer, and how they ask whether it has changed.

/** For anonymous answers that are the same for everyone: short, since posts are edited and deleted. */
const FOR_SECONDS = 'public, max-age=15, s-maxage=15, stale-while-revalidate=30'

/**
 * Sets Cache-Control. Only a request without a token, cookies or a body may have an answer that caches share: they tell
 * requests apart by address and `Vary` alone, and a body can hold a token or change what is asked for.
 */
export function setCacheControl(
  request: FastifyRequest,
  reply: FastifyReply,
  { isAnonymous, mayShare }: { isAnonymous: boolean; mayShare: boolean },
): void {
  const { authorization, cookie } = request.headers
  if (String(reply.getHeader('cache-control') ?? '').includes('no-store')) return
  const mayKeep = isAnonymous && authorization === undefined && cookie === undefined && !hasBody(request)
  if (!mayKeep) void reply.header('cache-control', 'private, no-store')
  else if (!reply.hasHeader('cache-control'))
    void reply.header('cache-control', mayShare ? FOR_SECONDS : 'private, no-store')
}

/** Whether a request announces a body. */
function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Sets the ETag of an answer and tells whether the client has this very answer already, so that a 304 is enough. */
export function isUnchanged(request: FastifyRequest, reply: FastifyReply, body: Buffer | string): boolean {
  if ((request.method !== 'GET' && request.method !== 'HEAD') || reply.statusCode !== 200) return false
  // Weak, as proxies compress.
  const tag = `"${hash('sha1', body, 'base64url')}"`
  void reply.header('etag', `W/${tag}`)
  const known = request.headers['if-none-match']
  return known !== undefined && known.split(',').some((one) => matches(one.trim(), tag))
}

const matches = (known: string, tag: string): boolean => known === '*' || known === tag || known === `W/${tag}`
