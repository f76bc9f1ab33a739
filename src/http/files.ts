import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contentTypeOf } from '../domain/media/types.ts'
import { isPrivateKey, type ByteRange, type FileStore, type StoredFile } from '../files/store.ts'
import { NotFound } from '../lib/errors.ts'
import { describeSharedFile, etagOf, IMMUTABLE } from './headers.ts'

/**
 * Serves the store at GET and HEAD /files/*: anonymous, cacheable for ever, with ranges for players. A file that is withheld is
 * not found.
 */
export function serveFiles(
  app: FastifyInstance,
  store: FileStore,
  isWithheld: (key: string) => Promise<boolean> = async () => false,
): void {
  app.route<{ Params: { '*': string } }>({
    method: ['GET', 'HEAD'],
    url: '/files/*',
    exposeHeadRoute: false,
    async handler(request, reply) {
      reply.header('access-control-allow-origin', '*')
      const key = request.params['*']
      const file = isPrivateKey(key) || (await isWithheld(key)) ? null : await store.open(key)
      if (!file) throw new NotFound()
      // The content of a key never changes.
      const etag = etagOf(key)
      const isKnown = describeSharedFile(request, reply, { etag, cacheControl: IMMUTABLE })
      describe(reply, key, file)
      if (isKnown || isUnmodified(request, file)) return reply.status(304).send()
      return sendFile(request, reply, file, etag)
    },
  })
}

function describe(reply: FastifyReply, key: string, file: StoredFile): void {
  const type = contentTypeOf(key)
  reply.headers({
    'access-control-expose-headers': 'Accept-Ranges, Content-Length, Content-Range, ETag',
    // Opened directly, a file may show itself and nothing else, in an opaque origin.
    'content-security-policy':
      "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
    'content-type': type ?? 'application/octet-stream',
    'content-disposition': type ? 'inline' : 'attachment',
    'accept-ranges': 'bytes',
    'last-modified': file.modified.toUTCString(),
  })
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: StoredFile, etag: string): FastifyReply {
  const range = mayBeRange(request, file, etag) ? readRange(request.headers.range, file.size) : null
  if (range === 'unsatisfiable') {
    return reply
      .status(416)
      .header('content-range', `bytes */${file.size}`)
      .header('cache-control', 'no-store')
      .header('content-length', 0)
      .send()
  }
  if (range) reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${file.size}`)
  reply.header('content-length', range ? range.end - range.start + 1 : file.size)
  return reply.send(request.method === 'HEAD' || file.size === 0 ? undefined : file.stream(range ?? undefined))
}

/** Tags of versions outrank dates (RFC 9110). */
const isUnmodified = ({ headers }: FastifyRequest, file: StoredFile): boolean =>
  headers['if-none-match'] === undefined && isNotSince(headers['if-modified-since'], file)

/** False when `If-Range` names another version of the file: the client then needs the whole file. */
function mayBeRange({ method, headers }: FastifyRequest, file: StoredFile, etag: string): boolean {
  const held = headers['if-range']
  return method === 'GET' && (held === undefined || held === etag || isNotSince(String(held), file))
}

function isNotSince(date: string | undefined, file: StoredFile): boolean {
  // HTTP dates have whole seconds.
  return date !== undefined && Math.floor(file.modified.getTime() / 1000) * 1000 <= Date.parse(date)
}

/** Cut to the file's size. Null for none, several, or an invalid one: the response is then the whole file. */
function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return null
  const last = size - 1
  const start = match[1] === '' ? Math.max(0, size - Number(match[2])) : Number(match[1])
  const end = match[1] === '' || match[2] === '' ? last : Math.min(Number(match[2]), last)
  if (match[1] !== '' && match[2] !== '' && Number(match[2]) < start) return null
  return start > last || (match[1] === '' && Number(match[2]) === 0) ? 'unsatisfiable' : { start, end }
}
