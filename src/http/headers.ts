import { createHash, hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/** Paths that any origin may read: what clients in browsers call. */
const CORS = /^\/(api\/|oauth\/(token|revoke|userinfo)|\.well-known\/|nodeinfo\/|@|users\/|health)/
const EXPOSED =
  'Link, X-RateLimit-Reset, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id, Mastodon-Async-Refresh'

export const CORS_HEADERS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED }

/** Browsers do not render, frame or run JSON, even when they open it directly. The same policy as Mastodon's. */
export const JSON_POLICY = "default-src 'none'; frame-ancestors 'none'; form-action 'none'"

export function setCommonHeaders(config: Config, request: FastifyRequest, reply: FastifyReply): void {
  void reply
    .header('x-request-id', request.id)
    .header('x-content-type-options', 'nosniff')
    .header('vary', 'Accept, Authorization, Origin')
  // For two years, as Mastodon's documentation sets it. Subdomains may belong to other servers.
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

export const IMMUTABLE = 'public, max-age=31536000, immutable'

/** For responses that are equal for all anonymous clients: short, since statuses are edited and deleted. */
const SHARED = 'public, max-age=15, s-maxage=15, stale-while-revalidate=30'
const NOT_STORED = 'private, no-store'

/**
 * Sets Cache-Control. Caches may share responses only to requests without token, cookies and body: they distinguish requests by
 * URL and `Vary` alone.
 */
export function setCacheControl(
  request: FastifyRequest,
  reply: FastifyReply,
  { isAnonymous, mayShare }: { isAnonymous: boolean; mayShare: boolean },
): void {
  const { authorization, cookie } = request.headers
  if (String(reply.getHeader('cache-control') ?? '').includes('no-store')) return
  const isPublic = isAnonymous && authorization === undefined && cookie === undefined && !hasBody(request)
  if (!isPublic) void reply.header('cache-control', NOT_STORED)
  else if (!reply.hasHeader('cache-control')) void reply.header('cache-control', mayShare ? SHARED : NOT_STORED)
}

/** Whether the request announces a body. */
export function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Larger responses that no cache may store have no ETag: clients could not use it, and computing it takes long. In bytes. */
const MAX_TAGGED = 16 * 1024

/** Sets the ETag. Returns whether the client already has this response, so that a 304 is enough. */
export function isUnchanged(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer | string,
  knownDigest: string | null,
): boolean {
  if ((request.method !== 'GET' && request.method !== 'HEAD') || reply.statusCode !== 200) return false
  if (body.length > MAX_TAGGED && reply.getHeader('cache-control') === NOT_STORED) return false
  // Weak, as proxies compress.
  const tag = `"${knownDigest ?? hash('sha1', body, 'base64url')}"`
  void reply.header('etag', `W/${tag}`)
  return hasVersion(request, tag)
}

/** A strong ETag, which changes with the content. */
export const etagOf = (content: string | Buffer): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`

/** Whether the client has the version with this tag, in quotes. */
export const hasVersion = ({ headers }: FastifyRequest, tag: string): boolean =>
  (headers['if-none-match'] ?? '').split(',').some((one) => ['*', tag].includes(one.trim().replace(/^W\//, '')))

/**
 * For files that are the same for all requests, so that shared caches need one copy, and that pages of other origins may show.
 * Returns whether the client has this version.
 */
export function describeSharedFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, cacheControl }: { etag: string; cacheControl: string },
): boolean {
  void reply.removeHeader('vary').headers({
    'cache-control': cacheControl,
    etag,
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  })
  return hasVersion(request, etag)
}
