// HTTP Message Signatures (RFC 9421) with RSASSA-PKCS1-v1_5 SHA-256 or Ed25519, and Content-Digest (RFC 9530).
import { sign } from 'node:crypto'
import { promisify } from 'node:util'
import { isInnerList, parseDictionary, serializeInnerList } from 'structured-headers'
import type { BareItem, Dictionary, InnerList, Item } from 'structured-headers'
import { importPrivateKey } from '../keys.ts'
import {
  SignatureError,
  bodyHash,
  checkDigest,
  checkHost,
  checkWindow,
  collectHeaders,
  needsDigest,
  signedIfPresent,
} from './common.ts'
import type { IncomingRequest, PreparedSignature, SignatureRules, SigningRequest } from './common.ts'

const signAsync = promisify(sign)
const MAX_SIGNATURES = 4
const MAX_HEADER_LENGTH = 16_384
const keyTypesOf = new Map<string, PreparedSignature['keyTypes']>([
  ['rsa-v1_5-sha256', ['rsa']],
  ['ed25519', ['ed25519']],
])
const allKeyTypes = [...keyTypesOf.values()].flat()

/** Returns the headers host, signature-input, signature and, for a body, content-digest. */
export async function signMessage(request: SigningRequest): Promise<Record<string, string>> {
  const url = new URL(request.url)
  url.hash = ''
  const headers: Record<string, string> = { host: url.host }
  const components: [string, string][] = [
    ['@method', request.method.toUpperCase()],
    ['@target-uri', url.href],
  ]
  if (request.body !== undefined) {
    headers['content-digest'] = contentDigestOf(Buffer.from(request.body))
    components.push(['content-digest', headers['content-digest']])
    for (const name of signedIfPresent) {
      const value = request.headers?.[name]
      if (value !== undefined) components.push([name, value.trim()])
    }
  }
  return { ...headers, ...(await signatureOf(components, request)) }
}

type Signer = Pick<SigningRequest, 'keyId' | 'privateKeyPem' | 'now'>

async function signatureOf(
  components: readonly [name: string, value: string][],
  { keyId, privateKeyPem, now = new Date() }: Signer,
): Promise<Record<'signature-input' | 'signature', string>> {
  const key = importPrivateKey(privateKeyPem)
  const input = serializeInnerList([
    components.map(([name]): Item => [name, new Map()]),
    new Map<string, BareItem>([
      ['created', Math.floor(now.getTime() / 1000)],
      ['keyid', keyId],
      ['alg', key.asymmetricKeyType === 'rsa' ? 'rsa-v1_5-sha256' : 'ed25519'],
    ]),
  ])
  const lines = components.map(([name, value]) => `"${name}": ${value}`)
  const base = [...lines, `"@signature-params": ${input}`].join('\n')
  const signature = await signAsync(key.asymmetricKeyType === 'rsa' ? 'sha256' : null, Buffer.from(base), key)
  return { 'signature-input': `sig1=${input}`, signature: `sig1=:${signature.toString('base64')}:` }
}

const contentDigestOf = (body: Buffer): string => `sha-256=:${bodyHash(body)}:`

export type SignedResponse = { status: number; headers: IncomingRequest['headers']; body: Buffer }

/** Returns the headers content-digest, signature-input and signature, which cover the status and the body. */
export async function signResponse(
  { status, body }: Pick<SignedResponse, 'status' | 'body'>,
  signer: Signer,
): Promise<Record<string, string>> {
  const digest = contentDigestOf(body)
  const components: [string, string][] = [
    ['@status', String(status)],
    ['content-digest', digest],
  ]
  return { 'content-digest': digest, ...(await signatureOf(components, signer)) }
}

/**
 * Checks everything about a signed request that needs no key. Throws SignatureError. A signature must cover the method, the whole
 * target with its host, and a digest of a request that can have a body, and must have the parameters `created` and `keyid`. The
 * first acceptable of several signatures counts.
 */
export function prepareMessageSignature(request: IncomingRequest, rules: SignatureRules): PreparedSignature {
  const headers = collectHeaders(request)
  const authority = checkHost(headers, rules)
  return prepare({
    headers,
    body: request.body,
    rules,
    derived: componentsOfRequest(request, authority, rules.protocol ?? 'https:'),
    checkCoverage: (names) => checkCoverage(names, request),
    namesKey: true,
  })
}

/**
 * As prepareMessageSignature, for the response to a request. The signature must cover the status and a digest of the body. It
 * need not name its key, since the request says who answers.
 */
export function prepareResponseSignature(
  { status, headers, body }: SignedResponse,
  rules: Omit<SignatureRules, 'hosts' | 'protocol'> = {},
): PreparedSignature {
  return prepare({
    headers: collectHeaders({ headers }),
    body,
    rules,
    derived: { '@status': () => String(status) },
    checkCoverage(names) {
      for (const name of ['@status', 'content-digest']) requireCovered(names.has(name), name)
    },
    namesKey: false,
  })
}

type Message = {
  headers: Map<string, string[]>
  body: Buffer
  rules: Omit<SignatureRules, 'hosts' | 'protocol'>
  /** The values of components that are not headers. */
  derived: Readonly<Record<string, () => string>>
  /** Throws SignatureError when the signature leaves out a component that it must cover. */
  checkCoverage: (names: ReadonlySet<string>) => void
  /** Whether the signature must name its key. */
  namesKey: boolean
}

function prepare(message: Message): PreparedSignature {
  const inputs = readDictionary(message.headers.get('signature-input')?.join(', '))
  const signatures = readDictionary(message.headers.get('signature')?.join(', '))
  if (inputs === null || signatures === null)
    throw new SignatureError('malformed', 'Signature-Input or Signature is malformed')
  let failure: unknown
  for (const [label, input] of [...inputs].slice(0, MAX_SIGNATURES)) {
    try {
      return prepareOne(input, signatures.get(label), message)
    } catch (error) {
      failure ??= error
    }
  }
  throw failure
}

/** RFC 9651. Null when the header is absent, too long or malformed. */
function readDictionary(text: string | undefined): Dictionary | null {
  if (text === undefined || text.length > MAX_HEADER_LENGTH) return null
  try {
    const dictionary = parseDictionary(text)
    return dictionary.size > 0 ? dictionary : null
  } catch {
    return null
  }
}

const bytesOf = (member: Item | InnerList | undefined): Buffer | null =>
  member?.[0] instanceof ArrayBuffer ? Buffer.from(member[0]) : null

function prepareOne(
  input: Item | InnerList,
  signatureItem: Item | InnerList | undefined,
  message: Message,
): PreparedSignature {
  const signature = bytesOf(signatureItem)
  if (!isInnerList(input) || signature === null) {
    throw new SignatureError('malformed', 'Signature-Input and Signature do not belong together')
  }
  const created = parameterOf(input, 'created', 'integer')
  const keyId = parameterOf(input, 'keyid', 'string') ?? ''
  if (created === null || (keyId === '' && message.namesKey)) {
    throw new SignatureError('malformed', 'The signature parameters created and keyid are required')
  }
  const algorithm = parameterOf(input, 'alg', 'string')
  const keyTypes = algorithm === null ? allKeyTypes : keyTypesOf.get(algorithm)
  if (keyTypes === undefined) {
    throw new SignatureError('unsupported', 'Only the signature algorithms rsa-v1_5-sha256 and ed25519 are supported')
  }
  const names = componentNames(input)
  message.checkCoverage(names)
  const { now, maxSkew } = message.rules
  checkWindow(created, parameterOf(input, 'expires', 'integer'), now, maxSkew)
  if (names.has('content-digest')) checkContentDigest(message)
  if (names.has('digest')) checkDigest(message.headers.get('digest')?.[0] ?? '', message.body)
  const lines = [...names].map((name) => `"${name}": ${componentValue(name, message)}`)
  const base = [...lines, `"@signature-params": ${serializeInnerList(input)}`].join('\n')
  return {
    keyId,
    signature,
    covered: [...names],
    bases: [base],
    keyTypes,
  }
}

function parameterOf<T extends 'integer' | 'string'>(
  list: InnerList,
  name: string,
  type: T,
): (T extends 'integer' ? number : string) | null {
  const value = list[1].get(name)
  if (value === undefined) return null
  if (type === 'integer' ? !Number.isInteger(value) : typeof value !== 'string')
    throw new SignatureError('malformed', `The signature parameter ${name} is malformed`)
  return value as T extends 'integer' ? number : string
}

function componentNames(input: InnerList): Set<string> {
  const names = new Set<string>()
  for (const [name, parameters] of input[0]) {
    if (typeof name !== 'string' || names.has(name))
      throw new SignatureError('malformed', 'The signed components are malformed')
    if (parameters.size > 0)
      throw new SignatureError('unsupported', 'Parameters of signed components are not supported')
    names.add(name)
  }
  return names
}

function requireCovered(isCovered: boolean, what: string): void {
  if (!isCovered) throw new SignatureError('unsigned', `${what} must be signed`)
}

function checkCoverage(names: ReadonlySet<string>, request: IncomingRequest): void {
  const coversPath =
    names.has('@request-target') || (names.has('@path') && (names.has('@query') || !request.path.includes('?')))
  const coversHost = names.has('@authority') || names.has('host')
  requireCovered(names.has('@method'), '@method')
  requireCovered(names.has('@target-uri') || (coversPath && coversHost), '@target-uri')
  // NodeBB signs the older header.
  if (needsDigest(request)) requireCovered(names.has('content-digest') || names.has('digest'), 'content-digest')
}

function checkContentDigest({ headers, body }: Message): void {
  const digests = readDictionary(headers.get('content-digest')?.[0])
  const known = [...(digests ?? [])].filter(([name]) => name === 'sha-256' || name === 'sha-512')
  if (known.length === 0)
    throw new SignatureError('digest', 'The Content-Digest header must have a sha-256 or sha-512 value')
  for (const [name, member] of known) {
    if (bytesOf(member)?.toString('base64') !== bodyHash(body, name === 'sha-256' ? 'sha256' : 'sha512')) {
      throw new SignatureError('digest', 'The Content-Digest header does not match the body')
    }
  }
}

function componentsOfRequest(
  request: IncomingRequest,
  authority: string,
  protocol: 'https:' | 'http:',
): Message['derived'] {
  const bareAuthority = authority.replace(protocol === 'https:' ? /:443$/ : /:80$/, '')
  const [path = '', query] = splitOnce(request.path, '?')
  return {
    '@method': () => request.method.toUpperCase(),
    '@target-uri': () => `${protocol}//${bareAuthority}${request.path}`,
    '@authority': () => bareAuthority,
    '@scheme': () => protocol.slice(0, -1),
    '@request-target': () => request.path,
    '@path': () => path,
    '@query': () => `?${query ?? ''}`,
  }
}

function componentValue(name: string, { derived, headers }: Message): string {
  if (Object.hasOwn(derived, name)) return derived[name]!()
  if (name.startsWith('@')) throw new SignatureError('unsupported', 'A signed component is not supported')
  const values = headers.get(name)
  if (values === undefined) throw new SignatureError('malformed', 'A signed header is missing')
  return values.join(', ')
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
