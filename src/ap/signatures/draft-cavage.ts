// HTTP signatures in the form that nearly every server supports: draft-cavage-http-signatures-12 with RSA and SHA-256.
// https://datatracker.ietf.org/doc/html/draft-cavage-http-signatures-12
import { sign } from 'node:crypto'
import { promisify } from 'node:util'
import { importPrivateKey } from '../keys.ts'
import {
  SignatureError,
  bodyHash,
  checkDigest,
  checkHost,
  checkWindow,
  collectHeaders,
  decodeBase64,
  DEFAULT_LIFETIME,
  needsDigest,
  signedIfPresent,
} from './common.ts'
import type { IncomingRequest, PreparedSignature, SignatureRules, SigningRequest } from './common.ts'

const signAsync = promisify(sign)

/** Returns the headers host, date, signature and, for a body, digest. Works off the main thread. */
export async function signRequest(request: SigningRequest): Promise<Record<string, string>> {
  const url = new URL(request.url)
  const headers: Record<string, string> = { host: url.host, date: (request.now ?? new Date()).toUTCString() }
  if (request.body !== undefined) headers['digest'] = `SHA-256=${bodyHash(Buffer.from(request.body))}`
  const target = `${request.method.toLowerCase()} ${url.pathname}${url.search}`
  const lines = [['(request-target)', target], ...Object.entries(headers)]
  for (const name of request.body === undefined ? [] : signedIfPresent) {
    const value = request.headers?.[name]
    if (value !== undefined) lines.push([name, value])
  }
  const base = lines.map(([name, value]) => `${name}: ${value}`).join('\n')
  const signature = await signAsync('sha256', Buffer.from(base), importPrivateKey(request.privateKeyPem))
  const names = lines.map(([name]) => name).join(' ')
  headers['signature'] =
    `keyId="${request.keyId}",algorithm="rsa-sha256",headers="${names}",signature="${signature.toString('base64')}"`
  return headers
}

export type SignatureParameters = {
  keyId: string
  algorithm: 'rsa-sha256' | 'hs2019'
  /** Lower case, in signing order. */
  headers: string[]
  signature: Buffer
  created: number | null
  expires: number | null
}

const parameter = /\s*([A-Za-z]+)\s*=\s*(?:"([^"\\]*)"|([^\s",]+))\s*(,|$)/y
const MAX_LENGTH = 8192

/** Null when the header is malformed or too long, or repeats a parameter. */
export function parseParameters(value: string): Map<string, string> | null {
  if (value.length > MAX_LENGTH) return null
  const found = new Map<string, string>()
  parameter.lastIndex = 0
  for (let more = true; more;) {
    const match = parameter.exec(value)
    if (match === null || found.has(match[1]!)) return null
    found.set(match[1]!, match[2] ?? match[3]!)
    more = match[4] === ','
  }
  return found
}

/** Throws SignatureError when a parameter is repeated, missing or malformed. */
export function parseSignature(value: string): SignatureParameters {
  // Old versions of the library http-signature write the name of the scheme here, too.
  const found = parseParameters(value.replace(/^Signature\s+/i, ''))
  if (found === null) throw new SignatureError('malformed', 'The Signature header is malformed')
  const keyId = found.get('keyId') ?? ''
  const signature = found.get('signature') ?? ''
  if (keyId === '' || signature === '')
    throw new SignatureError('malformed', 'The Signature header lacks keyId or signature')
  const algorithm = (found.get('algorithm') ?? 'hs2019').toLowerCase()
  if (algorithm !== 'rsa-sha256' && algorithm !== 'hs2019') {
    throw new SignatureError('unsupported', 'Only the signature algorithms rsa-sha256 and hs2019 are supported')
  }
  const headers = (found.get('headers') ?? '')
    .toLowerCase()
    .split(' ')
    .filter((name) => name !== '')
  if (new Set(headers).size !== headers.length) throw new SignatureError('malformed', 'A header is signed twice')
  const time = (name: string) => parseTime(found.get(name))
  return {
    keyId,
    algorithm,
    headers,
    signature: decodeBase64(signature),
    created: time('created'),
    expires: time('expires'),
  }
}

/**
 * Checks everything that needs no key. Throws SignatureError. A signature must cover (request-target), host, date or (created),
 * and the digest of a request that can have a body.
 */
export function prepareSignature(request: IncomingRequest, rules: SignatureRules): PreparedSignature {
  const headers = collectHeaders(request)
  const value = headers.get('signature')
  if (value === undefined) throw new SignatureError('missing', 'The request is not signed')
  const parameters = parseSignature(value.join(', '))
  const signed = new Set(parameters.headers)
  for (const name of ['(request-target)', 'host', ...(needsDigest(request) ? ['digest'] : [])]) {
    if (!signed.has(name)) throw new SignatureError('unsigned', `${name} must be signed`)
  }
  checkHost(headers, rules)
  checkTimes(parameters, headers, rules.now)
  if (signed.has('digest')) checkDigest(headers.get('digest')?.[0] ?? '', request.body)

  const targets = [request.path]
  // Mastodon before 4.3, Fedify and others do not sign the query.
  if (request.path.includes('?')) targets.push(request.path.split('?', 1)[0]!)
  const bases = targets.map((target) => {
    const source = { method: request.method, target, parameters, headers }
    return parameters.headers.map((name) => `${name}: ${signedValue(name, source)}`).join('\n')
  })
  const { keyId, signature, headers: covered } = parameters
  return { keyId, signature, covered, bases, keyTypes: ['rsa'] }
}

function parseTime(text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^\d{1,12}$/.test(text)) throw new SignatureError('malformed', 'A time in the Signature header is malformed')
  return Number(text)
}

function checkTimes(parameters: SignatureParameters, headers: Map<string, string[]>, now: Date | undefined): void {
  const signed = new Set(parameters.headers)
  const times: number[] = []
  if (signed.has('(created)') && parameters.created !== null) times.push(parameters.created)
  if (signed.has('date')) times.push(parseHttpDate(headers.get('date')?.[0] ?? ''))
  if (times.length === 0) throw new SignatureError('unsigned', 'date or (created) must be signed')
  for (const created of times) {
    // An attacker may have changed an unsigned `expires`, so it can only shorten the lifetime of a signature.
    const { expires } = parameters
    const isBinding = expires === null || signed.has('(expires)')
    checkWindow(created, isBinding ? expires : Math.min(expires, created + DEFAULT_LIFETIME), now)
  }
}

function parseHttpDate(text: string): number {
  const time = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN
  if (Number.isNaN(time)) throw new SignatureError('malformed', 'The Date header is malformed')
  return time / 1000
}

type SignedRequest = {
  method: string
  target: string
  parameters: SignatureParameters
  headers: Map<string, string[]>
}

function signedValue(name: string, { method, target, parameters, headers }: SignedRequest): string {
  if (name === '(request-target)') return `${method.toLowerCase()} ${target}`
  if (name === '(created)' || name === '(expires)') {
    const time = name === '(created)' ? parameters.created : parameters.expires
    if (parameters.algorithm !== 'hs2019' || time === null)
      throw new SignatureError('malformed', `${name} cannot be used here`)
    return String(time)
  }
  const values = headers.get(name)
  if (values === undefined) throw new SignatureError('malformed', `The signed header ${name} is missing`)
  return values.join(', ')
}
