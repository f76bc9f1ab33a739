import { isActivityContentType } from '../../net/content-types.ts'
import { FetchError } from '../../net/fetch-error.ts'
import type { FetchGate } from '../../net/gate.ts'
import { formatHandle, isSameHandle, parseHandle } from '../../ap/handle.ts'
import type { Handle } from '../../ap/handle.ts'
import { parseForeignJson } from '../../lib/json.ts'

/** WebFinger (RFC 7033), as a client: from `user@host` to the actor. */

export type WebfingerFailure =
  | 'not-found'
  | 'gone' // the account was there and is not any more
  | 'invalid' // not a handle, or an answer that names no actor
  | 'mismatch' // the answer claims a handle that its host does not confirm

export class WebfingerError extends Error {
  override readonly name = 'WebfingerError'
  readonly reason: WebfingerFailure

  constructor(reason: WebfingerFailure, message: string) {
    super(message)
    this.reason = reason
  }
}

/** The canonical handle, which may differ from what was asked. */
export type ResolvedHandle = { username: string; domain: string; actorUri: string }

const jrdAccept = 'application/jrd+json, application/json;q=0.9'
const maxBytes = 65_536

/**
 * Asks the host of a handle for its actor. When the answer names another handle as the subject, the host of
 * that one is asked too and must name the same actor, so that a server cannot claim a handle on another host.
 * Throws WebfingerError, or FetchError when a host cannot be asked.
 */
export async function lookUpHandle(gate: FetchGate, text: string): Promise<ResolvedHandle> {
  const asked = parseHandle(text)
  if (asked === null || asked.domain === null) throw new WebfingerError('invalid', 'Not a handle of the form user@host')
  const answer = await ask(gate, asked)
  if (isSameHandle(answer, asked)) return answer
  const confirmed = await ask(gate, answer)
  if (!isSameHandle(confirmed, answer) || confirmed.actorUri !== answer.actorUri)
    throw new WebfingerError('mismatch', `${formatHandle(asked)} claims another handle`)
  return confirmed
}

async function ask(gate: FetchGate, handle: Handle): Promise<ResolvedHandle> {
  const resource = encodeURIComponent(`acct:${formatHandle(handle)}`)
  const first = `${handle.domain}/.well-known/webfinger?resource=${resource}`
  const found = await get(gate, first, jrdAccept, isJrd)
  if (found !== null && found.status < 300) return readJrd(found.body, handle)
  if (found?.status === 410) throw new WebfingerError('gone', `${formatHandle(handle)} is gone`)
  if (found !== null && found.status >= 500) {
    throw new FetchError('status', `${handle.domain} answered ${found.status}`, { status: found.status })
  }
  const template = await findTemplate(gate, handle.domain!)
  const second = template?.replace('{uri}', () => resource)
  if (second !== undefined && second !== `https://${first}`) {
    const answer = await gate.request(second, { accept: jrdAccept, maxBytes })
    if (answer.status < 300 && isJrd(answer)) return readJrd(answer.body, handle)
    if (answer.status === 410) throw new WebfingerError('gone', `${formatHandle(handle)} is gone`)
  }
  throw new WebfingerError('not-found', `${formatHandle(handle)} was not found`)
}

/** Tries https, then http if the gate allows it for any host. Null for an answer that is not wanted. */
async function get(gate: FetchGate, address: string, accept: string, isWanted: (answer: Document) => boolean) {
  const call = { accept, maxBytes }
  const answer = await gate.request(`https://${address}`, call).catch((error: unknown) => {
    if (!gate.knowsHttp || !failedFor(error, 'network')) throw error
    return gate.request(`http://${address}`, call).catch((second: unknown) => {
      throw failedFor(second, 'scheme') ? error : second
    })
  })
  return answer.status < 300 && !isWanted(answer) ? null : answer
}

const failedFor = (error: unknown, reason: FetchError['reason']): boolean =>
  error instanceof FetchError && error.reason === reason

/** A host whose accounts are on another domain names it in host-meta (RFC 6415). */
async function findTemplate(gate: FetchGate, domain: string): Promise<string | null> {
  const answer = await get(
    gate,
    `${domain}/.well-known/host-meta`,
    'application/xrd+xml, application/xml, text/xml',
    () => true,
  )
  if (answer === null || answer.status >= 300) return null
  for (const [link] of answer.body.toString('utf8').matchAll(/<Link\b[^<>]*>/g)) {
    if (!/\brel\s*=\s*["']lrdd["']/.test(link)) continue
    const template = /\btemplate\s*=\s*["']([^"']+)["']/.exec(link)?.[1]?.replaceAll('&amp;', '&')
    if (template?.includes('{uri}') && /^https?:\/\//i.test(template)) return template
  }
  return null
}

type Document = { body: Buffer; headers: { 'content-type'?: string | undefined } }

/** By its type or its content: static sites serve a file without an extension as application/octet-stream. */
const isJrd = ({ headers, body }: Document): boolean =>
  /^\s*application\/(jrd\+)?json\s*(;|$)/i.test(headers['content-type'] ?? '') ||
  Array.isArray(parseRecord(body)['links'])

function readJrd(body: Buffer, asked: Handle): ResolvedHandle {
  const jrd = parseRecord(body)
  const subject = typeof jrd['subject'] === 'string' ? parseHandle(jrd['subject']) : asked
  const links = (Array.isArray(jrd['links']) ? jrd['links'].slice(0, 100) : []).filter(isRecord)
  const self = links.find(({ rel, type, href }) => rel === 'self' && isActivityType(type) && isHttpUrl(href))
  if (subject === null || subject.domain === null || self === undefined) {
    throw new WebfingerError('invalid', `${asked.domain} names no actor for ${formatHandle(asked)}`)
  }
  return { username: subject.username, domain: subject.domain, actorUri: self['href'] as string }
}

function parseRecord(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = parseForeignJson(body)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isActivityType(type: unknown): boolean {
  return typeof type === 'string' && isActivityContentType(type)
}

function isHttpUrl(url: unknown): url is string {
  return typeof url === 'string' && url.length <= 2048 && /^https?:\/\//i.test(url)
}
