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

/** A player may take its time with one part; what it wants after that it asks for again. */
const LONGEST_MS = 30 * 60_000
const ANSWER_MS = 10_000
/** What players need to know of the other server's answer. */
const PASSED_HEADERS = ['accept-ranges', 'content-length', 'content-range', 'etag', 'last-modified']

/**
 * Answers with a film or sound of another server while it arrives, whole or the part that is asked for: they are too large to
 * be kept. Throws NotFound where it is neither or its server's media are refused, FetchError where it cannot be had.
 */
export async function passOn(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  medium: RemoteAttachment,
): Promise<FastifyReply> {
  const { remote_url: url, domain } = medium
  if (url === null || !(await mayCacheMediaOf(ctx, domain, url))) throw new NotFound()
  await requestProbe(ctx, medium)
  const { range } = request.headers
  const abort = new AbortController()
  // Then nobody waits for it any longer.
  reply.raw.once('close', () => abort.abort(new NotFound()))
  const call = {
    method: request.method === 'HEAD' ? ('HEAD' as const) : ('GET' as const),
    headers: { 'accept-encoding': 'identity', ...(range === undefined ? {} : { range }) },
    accept: 'video/*, audio/*, */*;q=0.1',
    maxBytes: PROXIED_SIZE_LIMIT,
    timeoutMs: LONGEST_MS,
    answerMs: ANSWER_MS,
    signal: abort.signal,
  }
  return ctx.fetch.pass(url, call, async (answer, chunks) => {
    describe(reply, answer, typeOf(answer, medium))
    if (call.method === 'HEAD' || answer.status === 416) return reply.send()
    reply.send(Readable.from(chunks, { objectMode: false }))
    // Until then the connection to the other server is ours.
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
    // Opened on its own, it may play itself and nothing else, in an origin that is not ours.
    'content-security-policy': "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
    'content-disposition': 'inline',
  })
}

const isPlayable = (type: string | null): boolean => /^(video|audio)\//.test(type ?? '') || type === 'application/ogg'

/** What it is, as the answer says, or the post where the answer says nothing; null for anything that is not played. */
function typeOf({ headers, status }: FetchAnswer, { type, content_type: said }: RemoteAttachment): string | null {
  const given = mediaTypeOf(headers['content-type'])
  if (isPlayable(given)) return given
  if (given !== null && !/^(application|binary)\/octet-stream$/.test(given) && status !== 416) return null
  if (isPlayable(said)) return said
  // A redirect to anything else would lend this server's name to whatever the other server puts there.
  if (type === 'unknown') return null
  return type === 'audio' ? 'audio/mpeg' : 'video/mp4'
}
