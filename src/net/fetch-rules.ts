import { activityAccept, isActivityContentType, parseMediaType } from './content-types.ts'
import { FetchError } from './fetch-error.ts'

export type Expectation = 'activity' | 'json' | 'html' | 'any'

export type FetchAnswer = {
  status: number
  /** Names in lower case; repeated headers joined with ', '. */
  headers: Record<string, string>
  url: string
}

type HeaderOptions = {
  headers?: Record<string, string>
  accept?: string
  expect?: Expectation
}

export const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])
const ORIGIN_BOUND = new Set(['authorization', 'cookie', 'proxy-authorization', 'signature', 'signature-input'])
const ACCEPTS: Record<Expectation, string> = {
  activity: activityAccept,
  json: 'application/json',
  html: 'text/html, application/xhtml+xml',
  any: '*/*',
}

/** Throws FetchError 'scheme' for other text. */
export function parseUrl(address: string | URL): URL {
  const url = URL.parse(String(address))
  if (url === null) throw new FetchError('scheme', 'Not a URL')
  return normaliseHost(url)
}

/** Removes the dot after a host name, so that the policy, the Host header and the signature use one spelling. */
function normaliseHost(url: URL): URL {
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.replace(/(?<!\.)\.+$/, '')
  url.hash = ''
  return url
}

/** Throws FetchError when this request must not follow the redirect. */
export function redirectTarget(from: URL, location: string, method: string, status: number): URL {
  const to = URL.parse(location, from)
  if (to === null) throw new FetchError('redirects', `${from.host} redirects to nowhere`)
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new FetchError('scheme', `${from.host} redirects from https to http`)
  }
  // A delivery is for one server: it must not become a GET, nor go to another host.
  if (method === 'POST' && ((status !== 307 && status !== 308) || to.host !== from.host)) {
    throw new FetchError('redirects', `${from.host} redirects a delivery`, { status })
  }
  return normaliseHost(to)
}

/** Only the first origin receives credentials. */
export function headersFor(call: HeaderOptions, userAgent: string, sameOrigin: boolean): Record<string, string> {
  const headers: Record<string, string> = {
    'user-agent': userAgent,
    accept: call.accept ?? ACCEPTS[call.expect ?? 'any'],
    'accept-encoding': 'gzip, br',
  }
  for (const [name, value] of Object.entries(call.headers ?? {})) {
    const key = name.toLowerCase()
    if (sameOrigin || !ORIGIN_BOUND.has(key)) headers[key] = value
  }
  return headers
}

export function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}

/** Throws FetchError 'content-type'. */
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
  throw new FetchError('content-type', `${new URL(answer.url).host} returned another content type`, answer)
}
