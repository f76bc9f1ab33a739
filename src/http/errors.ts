import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, Invalid, NotFound, Unavailable } from '../lib/errors.ts'

/** Makes the page that a browser gets for an error; null for programs. Must not throw. */
export type ErrorPage = (
  request: FastifyRequest,
  status: number,
  message: string,
) => Promise<{ headers: Record<string, string>; html: string } | null>

const TEXTS: Record<number, string> = {
  400: 'Bad request',
  404: 'Record not found',
  405: 'The method is not allowed',
  408: 'The request took too long',
  413: 'The request is too large',
  414: 'The address is too long',
  415: 'The content type is not supported',
  431: 'The request headers are too large',
}

/** Status and safe body of an error: ours say what they say, the framework's 4xx keep their status, the rest is a 500. */
export function errorAnswer(error: unknown): { status: number; body: Record<string, unknown> } {
  if (error instanceof AppError) return { status: error.status, body: { error: error.message, ...error.extra } }
  const meant = meaningOf((error as { code?: unknown }).code)
  if (meant) return errorAnswer(meant)
  const status = (error as { statusCode?: number }).statusCode ?? 500
  if (status >= 400 && status < 500) return { status, body: { error: TEXTS[status] ?? 'Bad request' } }
  return { status: 500, body: { error: 'Something went wrong on our side. It was written to the log.' } }
}

/** What database and disk report, as far as it is neither the request's fault nor that of our code. */
function meaningOf(code: unknown): AppError | null {
  // What the request named went away while it was at it, or somebody else did the same at the same moment.
  if (code === '23503') return new NotFound()
  if (code === '23505') return new Invalid('Duplicate record')
  return code === 'ENOSPC' || code === 'EDQUOT' ? new Unavailable() : null
}

/** The one place where errors become answers: JSON for programs, a page for browsers (`page` makes it). */
export function mapErrors(app: FastifyInstance, page: ErrorPage): void {
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    body: Record<string, unknown>,
  ): Promise<FastifyReply> => {
    const made = await page(request, status, String(body.error))
    void reply.status(status).header('cache-control', 'no-store')
    if (status === 503) void reply.header('retry-after', '5')
    if (made) return reply.headers(made.headers).send(made.html)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
  }
  app.setErrorHandler((error, request, reply) => {
    const { status, body } = errorAnswer(error)
    // With whoever leaves, their uploads go: what fails for that is nobody's fault.
    const level = reply.raw.destroyed ? 'info' : 'error'
    if (status >= 500) request.log[level]({ err: error, cause: (error as Error).cause }, 'request failed')
    return answer(request, reply, status, body)
  })
  app.setNotFoundHandler((request, reply) => answer(request, reply, 404, { error: 'Record not found' }))
}
