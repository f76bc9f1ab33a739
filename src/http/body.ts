import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { BadRequest, PayloadTooLarge } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { message } from '../messages/message.ts'
import { hasBody } from './headers.ts'
import { type MultipartLimits, parseMultipart, removeStaleUploads } from './multipart.ts'
import { decodeUtf8, type Params, parseJsonParams, parseUrlencoded, queryError, refuseNul } from './rails-params.ts'

export type BodyOptions = MultipartLimits & {
  log: Log
  /** Whether files of this request are stored; otherwise they are read and dropped. */
  acceptsFiles: (request: FastifyRequest) => boolean
}

/** A header that is sent twice: some proxies and `fetch` join both values. The first one counts, as in Mastodon. */
const REPEATED_TYPE = /^\s*(application\/(?:json|x-www-form-urlencoded))\s*,/i

/**
 * Lets every route of `app` (and what is registered in it later) take JSON, urlencoded and multipart bodies as one kind of nested
 * parameters in `request.body`, and turns a bad query string or path into a 400. Uploaded files are removed after the response.
 * Register it before the routes. It does not parse ActivityPub types.
 */
export function registerBodyParsers(app: FastifyInstance, options: BodyOptions): void {
  mkdirSync(options.tmpDir, { recursive: true, mode: 0o700 })
  removeStaleUploads(options.tmpDir).catch((error: unknown) =>
    options.log.warn({ err: error }, 'stale-uploads.removal-failed'),
  )

  const uploads = new WeakMap<FastifyRequest, Uploads>()
  // After every onRequest hook, so that these errors have the common headers.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { headers } = request.raw
    const [, repeated] = REPEATED_TYPE.exec(headers['content-type'] ?? '') ?? []
    if (repeated !== undefined) headers['content-type'] = repeated
    const error = queryError(request.query)
    if (error) throw error
    const path = request.params as Record<string, string>
    for (const name in path) refuseNul(path[name] ?? '')
    if (isMultipart(request)) uploads.set(request, trackUploads(request, reply))
    done()
  })

  const raw = { parseAs: 'buffer', bodyLimit: options.maxBodyBytes } as const
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', raw, async (_request: FastifyRequest, body: Buffer) =>
    parseJsonParams(body),
  )
  app.addContentTypeParser('application/x-www-form-urlencoded', raw, async (_request: FastifyRequest, body: Buffer) =>
    parseForm(body),
  )
  // Other types must be empty. JSON in text/plain would let other sites post with the user's cookies. Without a type, a POST is a
  // form, as some apps send it, unless it looks like JSON.
  app.addContentTypeParser('*', raw, async (request: FastifyRequest, body: Buffer): Promise<Params> => {
    const isForm = request.method === 'POST' && request.headers['content-type'] === undefined && !looksLikeJson(body)
    if (isForm) return parseForm(body)
    if (body.length > 0 && !request.is404) throw new BadRequest(message('content_type_accepted'))
    return parseUrlencoded('')
  })
  app.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    if (!hasBody(request)) return parseUrlencoded('')
    const files = uploads.get(request)
    if (!files) throw new BadRequest(message('content_type_malformed'))
    try {
      const isAccepted = !request.is404 && options.acceptsFiles(request)
      const params = await parseMultipart(request.headers, payload, options, isAccepted ? files.paths : null)
      if (files.closed) throw new BadRequest(message('request_ended_early'))
      return params
    } catch (error) {
      files.remove()
      throw error
    }
  })
}

const looksLikeJson = (body: Buffer): boolean => /^\s*[[{]/.test(body.toString('latin1', 0, 100))

/** In bytes. */
const MAX_GET_BODY = 64 * 1024

/**
 * Reads parameters from the body of a GET or HEAD, JSON or urlencoded, as some clients send them; the framework does not. Other
 * types are ignored. Throws PayloadTooLarge.
 */
export function readGetBody(request: FastifyRequest, _reply: FastifyReply, done: () => void): Promise<void> | void {
  return hasBody(request) ? readParams(request) : done()
}

async function readParams(request: FastifyRequest): Promise<void> {
  const parse = parserFor(request.headers['content-type'] ?? '')
  if (!parse) return
  const chunks: Buffer[] = []
  let size = 0
  // The response needs the connection, also when this throws.
  for await (const chunk of request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_GET_BODY) break
    chunks.push(chunk)
  }
  if (size > MAX_GET_BODY) {
    // Drops the rest: while it is unread, the next request on the connection waits.
    request.raw.resume()
    throw new PayloadTooLarge()
  }
  request.body = parse(Buffer.concat(chunks))
}

function parserFor(type: string): ((bytes: Buffer) => Params) | null {
  if (/^\s*application\/json\s*(;|$)/i.test(type)) return parseJsonParams
  if (/^\s*application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return parseForm
  return null
}

const parseForm = (bytes: Buffer): Params => parseUrlencoded(decodeUtf8(bytes))

export function isMultipart(request: FastifyRequest): boolean {
  return /^\s*multipart\//i.test(request.headers['content-type'] ?? '')
}

type Uploads = { paths: string[]; closed: boolean; remove(): void }

/** Removes the files when the connection or the response ends. */
function trackUploads(request: FastifyRequest, reply: FastifyReply): Uploads {
  const files: Uploads = {
    paths: [],
    closed: false,
    remove() {
      for (const path of this.paths)
        rm(path, { force: true }).catch((error: unknown) =>
          request.log.warn({ err: error, path }, 'upload.removal-failed'),
        )
    },
  }
  reply.raw.once('close', () => {
    files.closed = true
    files.remove()
  })
  return files
}
