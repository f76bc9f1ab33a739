// Types and checks that both schemes of HTTP signatures share.
import { hash, verify } from 'node:crypto'
import { importPublicKey } from '../keys.ts'

export type IncomingRequest = {
  method: string
  /** Path and query exactly as received. */
  path: string
  /** Names in lower case, as Node gives them. */
  headers: Record<string, string | string[] | undefined>
  /** Node's `rawHeaders`, which show repeated headers that `headers` hides. */
  rawHeaders?: readonly string[]
  /** The bytes received, before any parsing. */
  body: Buffer
}

export type SigningRequest = {
  method: string
  url: string | URL
  headers?: Record<string, string>
  body?: string | Buffer | undefined
  keyId: string
  privateKeyPem: string
  now?: Date
}

/** Headers of a request with a body that are signed if it has them. */
export const signedIfPresent = ['content-type', 'collection-synchronization']

export type SignatureRules = {
  /** In lower case, with the port unless it is the default one. */
  hosts: readonly string[]
  protocol?: 'https:' | 'http:'
  now?: Date
  /** Between clocks, in seconds; an hour unless given. */
  maxSkew?: number
}

export type SignatureFailure =
  | 'missing' // not signed at all
  | 'malformed'
  | 'unsupported' // an algorithm or component that is not accepted
  | 'unsigned' // a required component is not signed
  | 'time' // expired, too old, or from the future
  | 'host' // addressed to another server
  | 'digest' // the digest does not match the body
  | 'key' // the key is unknown or unusable
  | 'mismatch' // the signature does not match the key and the request

/** The message may be sent to the client. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError'
  readonly reason: SignatureFailure

  constructor(reason: SignatureFailure, message: string) {
    super(message)
    this.reason = reason
  }
}

export type PreparedSignature = {
  keyId: string
  signature: Buffer
  covered: readonly string[]
  /** The possible signature bases, one of which must have been signed. */
  bases: string[]
  /** The accepted key types. The key type decides the algorithm; the sender's claim does not. */
  keyTypes: readonly ('rsa' | 'ed25519')[]
}

/** Throws SignatureError 'key' for a key of another type. */
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

/** In order. Throws when a header that must be unique is repeated. */
export function collectHeaders(request: Pick<IncomingRequest, 'headers' | 'rawHeaders'>): Map<string, string[]> {
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

/** Returns the Host header. Throws unless it is one of the accepted hosts. */
export function checkHost(headers: Map<string, string[]>, rules: SignatureRules): string {
  const host = headers.get('host')?.[0]?.toLowerCase()
  if (host === undefined || !rules.hosts.includes(host))
    throw new SignatureError('host', 'The request is addressed to another host')
  return host
}

/** In seconds: between clocks, of a signature without `expires`, and of one that expires late. */
const MAX_SKEW = 3600
export const DEFAULT_LIFETIME = 300
const MAX_LIFETIME = 12 * 3600

/**
 * The time window of Mastodon: a signature is valid until `expires`, at most 12 hours, or for 5 minutes without `expires`, with
 * an hour of clock skew on both sides unless `maxSkew` says otherwise. Times are seconds since the epoch.
 */
export function checkWindow(
  created: number,
  expires: number | null,
  now: Date = new Date(),
  maxSkew: number = MAX_SKEW,
): void {
  const seconds = now.getTime() / 1000
  const end = Math.min(expires ?? created + DEFAULT_LIFETIME, created + MAX_LIFETIME)
  if (created > seconds + maxSkew) throw new SignatureError('time', 'The signature is from the future')
  if (seconds > end + maxSkew) throw new SignatureError('time', 'The signature is too old')
}

export function needsDigest(request: IncomingRequest): boolean {
  return request.body.length > 0 || !['GET', 'HEAD'].includes(request.method.toUpperCase())
}

/** Checks a `Digest` header (RFC 3230). Throws SignatureError. */
export function checkDigest(value: string, body: Buffer): void {
  const digests = value.split(',').map((part) => /^\s*([A-Za-z0-9-]+)=(\S+)\s*$/.exec(part))
  const sha256 = digests.filter((match) => match?.[1]!.toLowerCase() === 'sha-256')
  if (sha256.length !== 1) throw new SignatureError('digest', 'The Digest header must have one SHA-256 value')
  if (sha256[0]![2] !== bodyHash(body)) throw new SignatureError('digest', 'The Digest header does not match the body')
}

export function bodyHash(body: Buffer, algorithm: 'sha256' | 'sha512' = 'sha256'): string {
  return hash(algorithm, body, 'base64')
}

/** Strict standard base64. Throws SignatureError. */
export function decodeBase64(text: string): Buffer {
  if (text.length > 4096 || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) {
    throw new SignatureError('malformed', 'The signature is not base64')
  }
  return Buffer.from(text, 'base64')
}
