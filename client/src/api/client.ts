// Requests to the public API. Types come from the server's OpenAPI document.
import createClient from 'openapi-fetch'
import type { paths } from './schema.d.ts'
import { isPage, reportConnection, reportSession } from './connection.ts'
import { SESSION_HEADERS } from './session.ts'

/** Milliseconds after which a request without a response has failed. Uploads take longer and have no limit. */
const TIMEOUT = 30_000

/** The server's answer to a bad request, or status 0 when there was none. `message` is fit for people. */
export class ApiError extends Error {
  readonly status: number
  /** What is wrong with a field, by the name of the field. */
  readonly details: Readonly<Record<string, string[]>>

  constructor(status: number, message: string, details: Record<string, string[]> = {}) {
    super(message)
    this.status = status
    this.details = details
  }
}

export const isOffline = (error: unknown): boolean => error instanceof ApiError && error.status === 0

/** What was asked for was deleted, or the viewer may not see it. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && [404, 410].includes(error.status)

/** Array parameters go as `name[]=a&name[]=b`, as Mastodon's API has them. */
function serializeQuery(query: Record<string, unknown>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value))
      for (const each of value) parameters.append(name.endsWith('[]') ? name : `${name}[]`, String(each))
    else if (value !== undefined && value !== null) parameters.append(name, String(value))
  }
  return parameters.toString()
}

/** How often, and after at most how many seconds, a request is sent again that the server asks to repeat. */
const MAX_RETRIES = 2
const LONGEST_WAIT = 10

async function send(request: Request): Promise<Response> {
  for (let retries = 0; ; retries += 1) {
    const response = await sendOnce(request.clone())
    const wait = retries < MAX_RETRIES && mayRepeat(request) ? secondsToWait(response) : null
    if (wait === null) return response
    await new Promise((resolve) => setTimeout(resolve, wait * 1000))
  }
}

async function sendOnce(request: Request): Promise<Response> {
  const signal = isUpload(request) ? request.signal : AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT)])
  try {
    const response = await fetch(request, { signal })
    // The connection may be lost half-way through the answer.
    await response.clone().arrayBuffer()
    if (isPage(response)) throw new Error('A page came in place of the answer')
    reportConnection(true)
    if (response.status === 401) reportSession(false)
    else if (response.ok) reportSession(true)
    return response
  } catch (error) {
    if (request.signal.aborted) throw error
    reportConnection(false)
    throw new ApiError(0, error instanceof Error ? error.message : '')
  }
}

const isUpload = ({ headers }: Request): boolean => headers.get('content-type')?.startsWith('multipart/') === true

/** Whether the server does it once even when it receives it twice. */
const mayRepeat = (request: Request): boolean =>
  request.method === 'GET' || (request.headers.has('idempotency-key') && !isUpload(request))

function secondsToWait({ status, headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return (status === 429 || status === 503) && seconds <= LONGEST_WAIT ? seconds : null
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The operations of a method, by path. */
type Operations<M extends Method> = {
  [P in keyof paths as paths[P][Lowercase<M>] extends { responses: unknown } ? P : never]: paths[P][Lowercase<M>]
}

type BodyOf<O> = O extends { responses: { 200: { content: { 'application/json': infer T } } } } ? T : unknown
type RequestOf<O> = (O extends { parameters: infer P } ? ({} extends P ? { params?: P } : { params: P }) : object) &
  (O extends { requestBody?: { content: { 'application/json': infer B } } } ? { body?: B | FormData } : object) & {
    signal?: AbortSignal
    headers?: Record<string, string>
    /** The request goes on when the page is closed. For small bodies. */
    keepalive?: boolean
  }
type RequestArguments<O> = {} extends RequestOf<O> ? [request?: RequestOf<O>] : [request: RequestOf<O>]

type Answer<T> = { data?: T; error?: unknown; response: Response }

/** The types of openapi-fetch copy every entity member by member; these give the entities by their names. */
type Client = {
  [M in Method]: <P extends keyof Operations<M>>(
    path: P,
    ...request: RequestArguments<Operations<M>[P]>
  ) => Promise<Answer<BodyOf<Operations<M>[P]>>>
}

/** `read(api.GET('/api/v1/lists/{id}', { params: { path: { id } } }))` */
export const api = createClient<paths>({
  baseUrl: location.origin,
  headers: SESSION_HEADERS,
  querySerializer: serializeQuery,
  fetch: send,
}) as unknown as Client

/** The body of a successful response. Throws ApiError otherwise. */
export async function read<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await answer
  if (response.ok && data !== undefined) return data
  const body = errorBody(error)
  throw new ApiError(response.status, errorText(body) ?? '', errorDetails(body))
}

/** As `read`, for a deletion. It is done, too, when an earlier answer was lost. */
export async function readDeletion(answer: Promise<Answer<unknown>>): Promise<void> {
  await read(answer).catch((error: unknown) => {
    if (!isGone(error)) throw error
  })
}

/** A page of a list, and the id parameters of the next one from its `Link` header; null at the end. */
export type Page<T> = { items: T[]; next: Record<string, string> | null }

/** As `read`, for lists with pages. */
export async function readPage<T>(answer: Promise<Answer<T[]>>): Promise<Page<T>> {
  const settled = await answer
  const items = await read(Promise.resolve(settled))
  return { items, next: nextOf(settled.response.headers.get('link')) }
}

function nextOf(link: string | null): Record<string, string> | null {
  const address = /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1]
  return address === undefined ? null : Object.fromEntries(new URL(address, location.origin).searchParams)
}

/** Collections have their errors one level deeper. */
function errorBody(body: unknown): unknown {
  const { error } = (body ?? {}) as { error?: unknown }
  return typeof error === 'object' && error !== null ? error : body
}

function errorText(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null
  return typeof body.error === 'string' ? body.error : null
}

function errorDetails(body: unknown): Record<string, string[]> {
  const { details } = (body ?? {}) as { details?: Record<string, { description: string }[]> }
  return Object.fromEntries(
    Object.entries(details ?? {}).map(([field, list]) => [field, list.map(({ description }) => description)]),
  )
}
