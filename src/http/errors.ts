import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as http from 'node:http'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { AppError, Invalid, NotFound, Unauthorized, Unavailable } from '../lib/errors.ts'
import { type Message, message, type Text, toLocalisedJson } from '../messages/message.ts'
import { bearerChallenge, CORS_HEADERS, JSON_POLICY } from './headers.ts'
import { languageFor } from './language.ts'

// Not imported: an import of node:http makes Node load its whole fetch, which nothing else here needs.
const { STATUS_CODES } = createRequire(import.meta.url)('node:http') as typeof http

/** The first line of a response. */
export const statusLine = (status: number): string => `HTTP/1.1 ${status} ${STATUS_CODES[status]}`

/** Null for clients other than browsers. Must not throw. */
export type ErrorPage = (
  request: FastifyRequest,
  status: number,
  error: Text,
) => Promise<{ headers: Record<string, string>; html: string } | null>

const KEYS = {
  400: 'bad_request',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'too_large',
  414: 'address_too_long',
  415: 'content_type_unsupported',
  431: 'headers_too_large',
} as const

const textOfStatus = (status: number): Message => message(KEYS[status as keyof typeof KEYS] ?? 'bad_request')

/** Errors of the framework keep a 4xx status. Unknown errors become a 500 without details. */
export function errorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof AppError)
    return { status: error.status, body: { error: error.text, ...error.extra }, headers: headersOf(error) }
  const known = knownError((error as { code?: unknown }).code)
  if (known) return errorAnswer(known)
  const status = (error as { statusCode?: number }).statusCode ?? 500
  if (status >= 400 && status < 500) return { status, body: { error: textOfStatus(status) }, headers: {} }
  return { status: 500, body: { error: message('internal_error') }, headers: {} }
}

type ErrorAnswer = { status: number; body: Record<string, unknown>; headers: Record<string, string> }

function headersOf(error: AppError): Record<string, string> {
  const headers: Record<string, string> = {}
  if (error instanceof Unauthorized) headers['www-authenticate'] = bearerChallenge('invalid_token', error.message)
  if (error.status === 429) headers['retry-after'] = '60'
  if (error.status === 503) headers['retry-after'] = '5'
  return { ...headers, ...error.headers }
}

/**
 * A full or failing disk, one that the system has made read-only since, no free file handle, a deadlock, and a failed
 * serialisation.
 */
const TEMPORARY = new Set<unknown>(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE', 'ENFILE', '40P01', '40001'])

/** Errors of the database and the disk that are neither the client's fault nor a bug. */
function knownError(code: unknown): AppError | null {
  // A referenced row was deleted meanwhile, or another request inserted the same row.
  if (code === '23503') return new NotFound()
  if (code === '23505') return new Invalid(message('duplicate'))
  return TEMPORARY.has(code) ? new Unavailable() : null
}

/** While the disk is full, for instance, the stack of each refused request would take up more of it. */
const OUTAGE_LOG_MS = 60_000

/** Logs errors in full, but an outage once a minute: `repeated` counts those left out since the last line with the same code. */
function failureLog(): (request: FastifyRequest, error: unknown, status: number, level: 'info' | 'error') => void {
  const outages = new Map<string, { loggedAt: number; repeated: number }>()
  return (request, error, status, level) => {
    const { cause, code = (cause as { code?: unknown } | undefined)?.code } = error as Error & { code?: unknown }
    const key = status === 503 && typeof code === 'string' ? code : null
    const last = key === null ? undefined : outages.get(key)
    if (last && Date.now() - last.loggedAt < OUTAGE_LOG_MS) return void last.repeated++
    if (key !== null) outages.set(key, { loggedAt: Date.now(), repeated: 0 })
    request.log[level]({ err: error, cause, ...(last ? { repeated: last.repeated } : {}) }, 'request.failed')
  }
}

type Respond = (error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

export function errorResponder(page: ErrorPage): Respond {
  const logFailure = failureLog()
  return async (error, request, reply) => {
    const { status, body, headers } = errorAnswer(error)
    // The uploads of a client that disconnects are removed, which may make its request fail.
    const level = reply.raw.destroyed ? 'info' : 'error'
    // A 501 is about the request.
    if (status >= 500 && status !== 501) logFailure(request, error, status, level)
    const made = await page(request, status, body.error as Text)
    void reply.status(status).headers({ ...headers, 'cache-control': 'no-store' })
    if (made) return reply.headers(made.headers).send(made.html)
    void reply.header('content-security-policy', JSON_POLICY)
    const language = languageFor(request)
    void reply.headers({ 'content-language': language, vary: 'Accept, Accept-Language, Authorization, Origin' })
    return reply.type('application/json; charset=utf-8').send(toLocalisedJson(body, language))
  }
}

export function mapErrors(app: FastifyInstance, respond: Respond): void {
  app.setErrorHandler(respond)
  app.setNotFoundHandler((request, reply) => respond(new NotFound(), request, reply))
}

const STATUSES: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
}

/**
 * Answers a request that the HTTP parser refuses, with JSON, and closes the connection. Only closes it when the client has
 * disconnected or another response has begun.
 */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  const { _httpMessage: current } = socket as { _httpMessage?: { headersSent: boolean } | null }
  if (!socket.writable || error.code === 'ECONNRESET' || current?.headersSent) return void socket.destroy()
  const status = STATUSES[error.code ?? ''] ?? 400
  const body = JSON.stringify({ error: textOfStatus(status) })
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    'cache-control': 'no-store',
    'content-security-policy': JSON_POLICY,
    'x-content-type-options': 'nosniff',
    'x-request-id': randomUUID(),
    ...CORS_HEADERS,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`${statusLine(status)}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy())
}
