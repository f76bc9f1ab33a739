import { hash, verify } from 'node:crypto'
import { importPublicKey } from './keys.ts'

/** A request as it came in. */
export interface IncomingRequest {
  method: string
  /** Path and query exactly as received. */
  path: string
  /** Names in lower case, as Node gives them. */
  headers: Record<string, string | string[] | undefined>
  /** Node's `rawHeaders`; with them repeated headers are seen that `headers` hides. */
  rawHeaders?: readonly string[]
  /** The bytes received, before any parsing. */
  body: Buffer
}

export interface SignatureRules {
  /** The values that the Host header may have, in lower case, with the port where it is not the default one. */
  hosts: readonly string[]
  /** The scheme that the outside world uses; `https:` unless told. */
  protocol?: 'https:' | 'http:'
  now?: Date
}

export type SignatureFailure =
  | 'missing' // not signed at all
  | 'malformed'
  | 'unsupported' // an algorithm or component that we do not accept
  | 'unsigned' // something that must be signed is not
  | 'time' // expired, too old, or from the future
  | 'host' // addressed to another server
  | 'digest' // the body is not the one that was signed
  | 'key' // the key is unknown or unusable
  | 'mismatch' // the signature does not fit key and request

/** Why a request is not accepted as signed. The message is safe to send back. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError'
  readonly reason: SignatureFailure

  constructor(reason: SignatureFailure, message: string) {
    super(message)
    this.reason = reason
  }
}

/** A signature whose request has passed every check that needs no key. */
export interface PreparedSignature {
  keyId: string
  signature: Buffer
  /** Which headers and other components the signature covers, in lower case. */
  covered: readonly string[]
  /** The texts that may have been signed: any one of them suffices. */
  bases: string[]
  /** The kinds of key that may have made it. The kind decides the algorithm, never the sender's word. */
  keyTypes: readonly ('rsa' | 'ed25519')[]
}

/** Was it made with this key? Throws SignatureError 'key' for a key of the wrong kind. */
export function isSignedBy(prepared: PreparedSignature, publicKeyPem: string): boolean {
  const key = importPublicKey(publicKeyPem)
  const type = key?.asymmetricKeyType as 'rsa' | 'ed25519' | undefined
  if (key === null || type === undefined || !prepared.keyTypes.includes(type)) {
    throw new SignatureError('key', 'The key cannot be used for this signature')
  }
  const algorithm = type === 'rsa' ? 'sha256' : null
  return prepared.bases.some((base) => verify(algorithm, Buffer.from(base), key, prepared.signature))
}

const single = new Set(['host', 'date', 'digest', 'content-digest', 'content-type', 'content-length', 'authorization'])

/** Every header's values in order. Throws when one that must be unique is repeated. */
export function collectHeaders(request: IncomingRequest): Map<string, string[]> {
  const collected = new Map<string, string[]>()
  const add = (name: string, value: string) => {
    const values = collected.get(name)
    if (values === undefined) collected.set(name, [value.trim()])
    else if (single.has(name)) throw new SignatureError('malformed', `The header ${name} is repeated`)
    else values.push(value.trim())
  }
  const raw = request.rawHeaders
  if (raw !== undefined) {
    for (let i = 0; i + 1 < raw.length; i += 2) add(raw[i]!.toLowerCase(), raw[i + 1]!)
  } else {
    for (const [name, value] of Object.entries(request.headers)) {
      for (const each of value === undefined ? [] : [value].flat()) add(name.toLowerCase(), each)
    }
  }
  return collected
}

/** The Host header, checked to be ours. */
export function checkHost(headers: Map<string, string[]>, rules: SignatureRules): string {
  const host = headers.get('host')?.[0]?.toLowerCase()
  if (host === undefined || !rules.hosts.includes(host))
    throw new SignatureError('host', 'The request is addressed to another host')
  return host
}

const skew = 3600
/** How long a signature lives that does not say, in seconds. */
export const defaultLifetime = 300
const longestLifetime = 12 * 3600

/**
 * Mastodon's window: a signature lives until it says, at most 12 hours, or 5 minutes when it does not say;
 * an hour of clock skew is granted on both sides. Times in seconds since the epoch.
 */
export function checkWindow(created: number, expires: number | null, now: Date = new Date()): void {
  const seconds = now.getTime() / 1000
  const end = Math.min(expires ?? created + defaultLifetime, created + longestLifetime)
  if (created > seconds + skew) throw new SignatureError('time', 'The signature is from the future')
  if (seconds > end + skew) throw new SignatureError('time', 'The signature is too old')
}

/** Must the body be covered? Yes for whatever can carry one. */
export function needsDigest(request: IncomingRequest): boolean {
  return request.body.length > 0 || !['GET', 'HEAD'].includes(request.method.toUpperCase())
}

/** Base64 of the body's hash. */
export function bodyHash(body: Buffer, algorithm: 'sha256' | 'sha512' = 'sha256'): string {
  return hash(algorithm, body, 'base64')
}

/** Standard base64 without surprises, or SignatureError. */
export function decodeBase64(text: string): Buffer {
  if (text.length > 4096 || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) {
    throw new SignatureError('malformed', 'The signature is not base64')
  }
  return Buffer.from(text, 'base64')
}
