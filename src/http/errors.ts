import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, Invalid, NotFound, Unauthorized, Unavailable } from '../lib/errors.ts'
import { bearerChallenge, JSON_POLICY } from './headers.ts'

/** Makes the page that a browser gets for an error; null for programs. Must not throw. */
export type ErrorPage = (
  request: FastifyRequest,
  status: number,
  message: string,
) => Promise<{ headers: Record<string, string>; html: string } | null>

/** Texts for what the framework and the HTTP parser refuse. */
export const TEXTS: Record<number, string> = {
  400: 'Bad request',
  404: 'Record not found',
  405: 'The method is not allowed',
  408: 'The request took too long',
  413: 'The request is too large',
  414: 'The address is too long',
  415: 'The content type is not supported',
  431: 'The request headers are too large',
}

/** Status, safe body and headers of an error: ours say what they say, the framework's 4xx keep their status, the rest is a 500. */
export function errorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof AppError)
    return { status: error.status, body: { error: error.message, ...error.extra }, headers: headersOf(error) }
  const meant = meaningOf((error as { code?: unknown }).code)
  if (meant) return errorAnswer(meant)
  const status = (error as { statusCode?: number }).statusCode ?? 500
  if (status >= 400 && status < 500) return { status, body: { error: TEXTS[status] ?? 'Bad request' }, headers: {} }
  return { status: 500, body: { error: 'Something went wrong on our side. It was written to the log.' }, headers: {} }
}

type ErrorAnswer = { status: number; body: Record<string, unknown>; headers: Record<string, string> }

/** 401 says how to do better, 429 and 503 say when. */
function headersOf(error: AppError): Record<string, string> {
  const headers: Record<string, string> = {}
  if (error instanceof Unauthorized) headers['www-authenticate'] = bearerChallenge('invalid_token', error.message)
  if (error.status === 429) headers['retry-after'] = '60'
  if (error.status === 503) headers['retry-after'] = '5'
  return { ...headers, ...error.headers }
}

/** What database and disk report, as far as it is neither the request's fault nor that of our code. */
function meaningOf(code: unknown): AppError | null {
  // What the request named went away while it was at it, or somebody else did the same at the same moment.
  if (code === '23503') return new NotFound()
  if (code === '23505') return new Invalid('Duplicate record')
  return code === 'ENOSPC' || code === 'EDQUOT' ? new Unavailable() : null
}

type Respond = (error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** The one place where errors become answers: JSON for programs, a page for browsers (`page` makes it). */
export function errorResponder(page: ErrorPage): Respond {
  return async (error, request, reply) => {
    const { status, body, headers } = errorAnswer(error)
    // With whoever leaves, their uploads go: what fails for that is nobody's fault.
    const level = reply.raw.destroyed ? 'info' : 'error'
    if (status >= 500) request.log[level]({ err: error, cause: (error as Error).cause }, 'request failed')
    const made = await page(request, status, String(body.error))
    void reply.status(status).headers({ ...headers, 'cache-control': 'no-store' })
    if (made) return reply.headers(made.headers).send(made.html)
    void reply.header('content-security-policy', JSON_POLICY)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
  }
}

/** Lets `respond` answer for whatever fails in a route, and for addresses without one. */
export function mapErrors(app: FastifyInstance, respond: Respond): void {
  app.setErrorHandler(respond)
  app.setNotFoundHandler((request, reply) => respond(new NotFound(), request, reply))
}
