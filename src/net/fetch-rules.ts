import { activityAccept, isActivityContentType, parseMediaType } from './content-types.ts'
import { FetchError } from './fetch-error.ts'

export type Expectation = 'activity' | 'json' | 'html' | 'any'

export interface FetchAnswer {
  status: number
  /** Names in lower case; repeated headers joined with ', '. */
  headers: Record<string, string>
  /** The URL that answered, after redirects. */
  url: string
}

interface HeaderOptions {
  headers?: Record<string, string>
  accept?: string
  expect?: Expectation
}

export const redirectStatuses = new Set([301, 302, 303, 307, 308])
const originBound = new Set(['authorization', 'cookie', 'proxy-authorization', 'signature', 'signature-input'])
const accepts: Record<Expectation, string> = {
  activity: activityAccept,
  json: 'application/json',
  html: 'text/html, application/xhtml+xml',
  any: '*/*',
}

/** Throws FetchError 'scheme' for what is not a URL. */
export function parseUrl(address: string | URL): URL {
  const url = URL.parse(String(address))
  if (url === null) throw new FetchError('scheme', 'Not a URL')
  return normaliseHost(url)
}

/** `host.` and `host` are the same server: one spelling for policy, Host header and signature. */
function normaliseHost(url: URL): URL {
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.replace(/(?<!\.)\.+$/, '')
  url.hash = ''
  return url
}

/** Where a redirect leads; refuses the ones that this request must not follow. */
export function redirectTarget(from: URL, location: string, method: string, status: number): URL {
  const to = URL.parse(location, from)
  if (to === null) throw new FetchError('redirects', `${from.host} redirects to nowhere`)
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new FetchError('scheme', `${from.host} redirects from https to http`)
  }
  // A delivery is for one server: it is neither turned into a GET nor handed on to another host.
  if (method === 'POST' && ((status !== 307 && status !== 308) || to.host !== from.host)) {
    throw new FetchError('redirects', `${from.host} redirects a delivery`, { status })
  }
  return normaliseHost(to)
}

/** The headers of one hop: what is meant for the first origin stays there. */
export function headersFor(call: HeaderOptions, userAgent: string, sameOrigin: boolean): Record<string, string> {
  const headers: Record<string, string> = {
    'user-agent': userAgent,
    accept: call.accept ?? accepts[call.expect ?? 'any'],
    'accept-encoding': 'gzip, br',
  }
  for (const [name, value] of Object.entries(call.headers ?? {})) {
    const key = name.toLowerCase()
    if (sameOrigin || !originBound.has(key)) headers[key] = value
  }
  return headers
}

/** One string per header; repeated ones are joined. */
export function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}

/** Throws FetchError 'content-type' unless the answer declares to be what was expected. */
export function checkContentType(answer: FetchAnswer, expected: Expectation): void {
  const contentType = answer.headers['content-type']
  const { type } = parseMediaType(contentType)
  const fits: Record<Expectation, () => boolean> = {
    any: () => true,
    activity: () => isActivityContentType(contentType),
    json: () => type === 'application/json' || type.endsWith('+json'),
    html: () => type === 'text/html' || type === 'application/xhtml+xml',
  }
  if (fits[expected]()) return
  throw new FetchError('content-type', `${new URL(answer.url).host} answered with another content type`, answer)
}
