// What clients and caches may keep of an API answer, and how they ask whether it has changed.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hash } from 'node:crypto'

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
