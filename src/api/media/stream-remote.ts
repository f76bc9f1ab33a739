import type { RemoteAttachment } from '../../domain/media/remote.ts'
import { PROXIED_SIZE_LIMIT } from '../../domain/media/types.ts'
import { mayCacheMediaOf } from '../../domain/media/files.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { FetchError } from '../../net/fetch-error.ts'
import type { FetchAnswer } from '../../net/fetch-rules.ts'
import { mediaTypeOf } from '../../ap/attachments.ts'
import type { Context } from '../../context.ts'
import { requestProbe } from '../../actions/media/probe.ts'
import { NotFound } from '../../lib/errors.ts'

/** Applies to one request: players request the next part again. */
const TIMEOUT_MS = 30 * 60_000
const RESPONSE_TIMEOUT_MS = 10_000
/** Players need these headers of the remote response. */
const PASSED_HEADERS = ['accept-ranges', 'content-length', 'content-range', 'etag', 'last-modified']

/**
 * Video and audio are too large for the cache. Throws NotFound for other media and for servers whose media are rejected,
 * FetchError when the remote server fails.
 */
export async function streamRemoteMedia(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  attachment: RemoteAttachment,
): Promise<FastifyReply> {
  const { remote_url: url, domain } = attachment
  if (url === null || !(await mayCacheMediaOf(ctx, domain, url))) throw new NotFound()
  await requestProbe(ctx, attachment)
  const { range } = request.headers
  const abort = new AbortController()
  reply.raw.once('close', () => abort.abort(new NotFound()))
  const call = {
    method: request.method === 'HEAD' ? ('HEAD' as const) : ('GET' as const),
    headers: { 'accept-encoding': 'identity', ...(range === undefined ? {} : { range }) },
    accept: 'video/*, audio/*, */*;q=0.1',
    maxBytes: PROXIED_SIZE_LIMIT,
    timeoutMs: TIMEOUT_MS,
    answerMs: RESPONSE_TIMEOUT_MS,
    signal: abort.signal,
  }
  return ctx.fetch.pass(url, call, async (answer, chunks) => {
    describe(reply, answer, typeOf(answer, attachment))
    if (call.method === 'HEAD' || answer.status === 416) return reply.send()
    reply.send(Readable.from(chunks, { objectMode: false }))
    // The connection to the remote server is released when this function returns.
    await finished(reply.raw).catch(() => {})
    return reply
  })
}

function describe(reply: FastifyReply, { status, headers, url }: FetchAnswer, type: string | null): void {
  const { host } = new URL(url)
  if (![200, 206, 416].includes(status)) throw new FetchError('status', `${host} answered ${status}`, { status })
  if (type === null) throw new FetchError('content-type', `${host} answered with another content type`)
  for (const name of PASSED_HEADERS) if (headers[name] !== undefined) reply.header(name, headers[name])
  if (status === 416) reply.header('content-length', 0)
  reply.status(status).headers({
    'content-type': type,
    'cache-control': 'private, max-age=86400',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'Accept-Ranges, Content-Length, Content-Range, ETag',
    'cross-origin-resource-policy': 'cross-origin',
    // When opened directly, the media may only play, in an opaque origin.
    'content-security-policy': "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
    'content-disposition': 'inline',
  })
}

const isPlayable = (type: string | null): boolean => /^(video|audio)\//.test(type ?? '') || type === 'application/ogg'

/** Falls back to the stored media type; null unless it is audio or video. */
function typeOf({ headers, status }: FetchAnswer, { type, content_type: said }: RemoteAttachment): string | null {
  const given = mediaTypeOf(headers['content-type'])
  if (isPlayable(given)) return given
  if (given !== null && !/^(application|binary)\/octet-stream$/.test(given) && status !== 416) return null
  if (isPlayable(said)) return said
  // Anything else would publish arbitrary remote content under this server's name.
  if (type === 'unknown') return null
  return type === 'audio' ? 'audio/mpeg' : 'video/mp4'
}
