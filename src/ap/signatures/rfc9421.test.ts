import assert from 'node:assert/strict'
import { createHmac, createPrivateKey, sign } from 'node:crypto'
import { before, test } from 'node:test'
import { ed25519KeyPair } from '../../../test/support/signatures.ts'
import { generateRsaKeyPair } from '../keys.ts'
import type { KeyPair } from '../keys.ts'
import { prepareMessageSignature, prepareResponseSignature, signMessage, signResponse } from './rfc9421.ts'
import { bodyHash, isSignedBy } from './common.ts'
import type { IncomingRequest, SignatureFailure } from './common.ts'

const now = new Date('2026-03-01T12:00:00Z')
const created = now.getTime() / 1000
const keyId = 'https://a.test/users/ada#main-key'
const body = Buffer.from('{"type":"Follow"}')
const contentDigest = `sha-256=:${bodyHash(body)}:`
let rsa: KeyPair
let ed25519: KeyPair

before(async () => {
  rsa = await generateRsaKeyPair()
  ed25519 = ed25519KeyPair()
})

const rules = { hosts: ['b.test'], now }
const values: Record<string, string> = {
  '@method': 'POST',
  '@target-uri': 'https://b.test/inbox?x=1',
  '@authority': 'b.test',
  '@path': '/inbox',
  '@query': '?x=1',
  '@scheme': 'https',
  '@request-target': '/inbox?x=1',
  host: 'b.test',
  'content-digest': contentDigest,
  'x-word': 'a, b',
}
const usual = ['@method', '@target-uri', 'content-digest']

/** Signs the named components as in RFC 9421. */
function handmade(names: string[], parameters = `;created=${created};keyid="${keyId}"`, pair = rsa): IncomingRequest {
  const input = `(${names.map((name) => `"${name}"`).join(' ')})${parameters}`
  const base = [...names.map((name) => `"${name}": ${values[name]}`), `"@signature-params": ${input}`].join('\n')
  const key = createPrivateKey(pair.privateKeyPem)
  const signature = sign(key.asymmetricKeyType === 'rsa' ? 'sha256' : null, Buffer.from(base), key).toString('base64')
  return {
    method: 'POST',
    path: '/inbox?x=1',
    body,
    headers: {
      host: 'b.test',
      'x-word': ['a', 'b '],
      'content-digest': contentDigest,
      'signature-input': `sig1=${input}`,
      signature: `sig1=:${signature}:`,
    },
  }
}

function holds(request: IncomingRequest, pem = rsa.publicKeyPem, at = now): boolean {
  return isSignedBy(prepareMessageSignature(request, { ...rules, now: at }), pem)
}

function refuses(request: IncomingRequest, reason: SignatureFailure, at = now): void {
  assert.throws(() => holds(request, rsa.publicKeyPem, at), { name: 'SignatureError', reason })
}

test('signed requests verify, with RSA and Ed25519', async () => {
  for (const pair of [rsa, ed25519]) {
    const headers = await signMessage({
      method: 'post',
      url: 'https://b.test/inbox?x=1',
      body,
      keyId,
      privateKeyPem: pair.privateKeyPem,
      now,
    })
    const request = { method: 'POST', path: '/inbox?x=1', body, headers }
    assert.equal(holds(request, pair.publicKeyPem), true)
    assert.equal(prepareMessageSignature(request, rules).keyId, keyId)
    assert.throws(() => holds(request, (pair === rsa ? ed25519 : rsa).publicKeyPem), { reason: 'key' })
  }
})

test('all usual components are understood', () => {
  assert.equal(holds(handmade(Object.keys(values))), true)
  assert.equal(holds(handmade(['@method', '@authority', '@path', '@query', 'content-digest'])), true)
  assert.equal(holds(handmade(['@method', 'host', '@request-target', 'content-digest'])), true)
  assert.equal(holds(handmade(usual, `;created=${created};keyid="${keyId}"`, ed25519), ed25519.publicKeyPem), true)
})

test('a changed body, target, method or host is refused', () => {
  const request = handmade(usual)
  const swapped = Buffer.from('{"type":"Delete"}')
  refuses({ ...request, body: swapped }, 'digest')
  assert.equal(
    holds({
      ...request,
      body: swapped,
      headers: { ...request.headers, 'content-digest': `sha-256=:${bodyHash(swapped)}:` },
    }),
    false,
  )
  assert.equal(holds({ ...request, path: '/inbox?x=2' }), false)
  assert.equal(holds({ ...request, method: 'PUT' }), false)
  refuses({ ...request, headers: { ...request.headers, host: 'c.test' } }, 'host')
})

test('method, target and digest must be signed, with created and keyid', () => {
  for (const missing of usual) refuses(handmade(usual.filter((name) => name !== missing)), 'unsigned')
  refuses(handmade(['@method', '@authority', '@path', 'content-digest']), 'unsigned') // the query is left open
  refuses(handmade(['@method', '@path', '@query', 'content-digest']), 'unsigned') // the host is left open
  refuses(handmade(usual, `;keyid="${keyId}"`), 'malformed')
  refuses(handmade(usual, `;created=${created}`), 'malformed')
  refuses(handmade(usual, `;created="now";keyid="${keyId}"`), 'malformed')
})

test('the time limits are those of the older scheme', () => {
  const minutes = (count: number) => new Date(now.getTime() + count * 60_000)
  assert.equal(holds(handmade(usual), rsa.publicKeyPem, minutes(64)), true)
  refuses(handmade(usual), 'time', minutes(66))
  refuses(handmade(usual), 'time', minutes(-61))
  const long = handmade(usual, `;created=${created};expires=${created + 1e6};keyid="${keyId}"`)
  assert.equal(holds(long, rsa.publicKeyPem, minutes(12 * 60)), true)
  refuses(long, 'time', minutes(13 * 60 + 1))
})

test('the key decides the algorithm', () => {
  const parameters = (algorithm: string) => `;created=${created};keyid="${keyId}";alg="${algorithm}"`
  assert.equal(holds(handmade(usual, parameters('rsa-v1_5-sha256'))), true)
  for (const algorithm of ['hmac-sha256', 'rsa-pss-sha512', 'ecdsa-p256-sha256', 'none', '__proto__', 'toString']) {
    refuses(handmade(usual, parameters(algorithm)), 'unsupported')
  }
  assert.throws(() => holds(handmade(usual, parameters('ed25519'))), { reason: 'key' })
  const request = handmade(usual)
  const input = String(request.headers['signature-input']).slice('sig1='.length)
  const base = [...usual.map((name) => `"${name}": ${values[name]}`), `"@signature-params": ${input}`].join('\n')
  const forged = createHmac('sha256', rsa.publicKeyPem).update(base).digest('base64')
  assert.equal(holds({ ...request, headers: { ...request.headers, signature: `sig1=:${forged}:` } }), false)
})

test('every content digest with a known algorithm must match, and one must be known', () => {
  const withDigest = (value: string): IncomingRequest => {
    values['content-digest'] = value
    const request = handmade(usual)
    values['content-digest'] = contentDigest
    return { ...request, headers: { ...request.headers, 'content-digest': value } }
  }
  assert.equal(holds(withDigest(`sha-512=:${bodyHash(body, 'sha512')}:`)), true)
  assert.equal(holds(withDigest(`md5=:AA==:, ${contentDigest}`)), true)
  for (const bad of [
    '',
    'md5=:AA==:',
    'sha-256=:AA==:',
    `${contentDigest}, sha-512=:AA==:`,
    `sha-256="${bodyHash(body)}"`,
    bodyHash(body),
  ]) {
    refuses(withDigest(bad), 'digest')
  }
})

test('repeated and unknown components, and those with parameters, are refused', () => {
  refuses(handmade([...usual, '@method']), 'malformed')
  refuses(handmade([...usual, '@status']), 'unsupported')
  refuses(handmade([...usual, 'x-missing']), 'malformed')
  const decorated = handmade(usual)
  const input = String(decorated.headers['signature-input']).replace('"@method"', '"@method";req')
  refuses({ ...decorated, headers: { ...decorated.headers, 'signature-input': input } }, 'unsupported')
  const twice = handmade(usual)
  refuses(
    { ...twice, rawHeaders: [...Object.entries(twice.headers).flat(2).map(String), 'Host', 'b.test'] },
    'malformed',
  )
})

test('malformed or unpaired headers are refused, and a second, valid signature is used', () => {
  const request = handmade(usual)
  const { 'signature-input': input, signature } = request.headers
  for (const headers of [
    { 'signature-input': '' },
    { 'signature-input': 'sig1' },
    { 'signature-input': 'sig1=("@method"' },
    { 'signature-input': `${input},sig1=()` },
    { signature: '' },
    { signature: 'other=:AA==:' },
    { signature: 'sig1="text"' },
    { signature: undefined },
    { 'signature-input': '('.repeat(20_000) },
  ]) {
    refuses({ ...request, headers: { ...request.headers, ...headers } }, 'malformed')
  }
  const proxied = {
    'signature-input': `proxy=("@method");created=${created};keyid="p", ${input}`,
    signature: `proxy=:AA==:, ${signature}`,
  }
  assert.equal(holds({ ...request, headers: { ...request.headers, ...proxied } }), true)
})

test('a signed response verifies; another status, body, key or time is refused', async () => {
  const signer = { keyId: 'server-1', privateKeyPem: ed25519.privateKeyPem, now }
  const headers = await signResponse({ status: 201, body }, signer)
  const response = { status: 201, body, headers }
  const verify = (change: object = {}, pem = ed25519.publicKeyPem, at = now): boolean =>
    isSignedBy(prepareResponseSignature({ ...response, ...change }, { now: at, maxSkew: 60 }), pem)
  assert.equal(verify(), true)
  assert.match(String(headers['signature-input']), /^sig1=\("@status" "content-digest"\);created=\d+;keyid="server-1"/)
  assert.equal(verify({ status: 200 }), false)
  assert.equal(verify({}, ed25519KeyPair().publicKeyPem), false)
  assert.throws(() => verify({ body: Buffer.from('{}') }), { reason: 'digest' })
  assert.throws(() => verify({}, undefined, new Date(now.getTime() + 361_000)), { reason: 'time' })
  assert.throws(() => verify({ headers: {} }), { reason: 'malformed' })
  for (const only of ['@status', 'content-digest']) {
    const input = `sig1=("${only}");created=${created};keyid="k"`
    assert.throws(() => verify({ headers: { ...headers, 'signature-input': input } }), { reason: 'unsigned' })
  }
  const input = `("@status" "content-digest");created=${created}`
  const base = `"@status": 201\n"content-digest": ${contentDigest}\n"@signature-params": ${input}`
  const bare = sign(null, Buffer.from(base), createPrivateKey(ed25519.privateKeyPem)).toString('base64')
  const nameless = { ...headers, 'signature-input': `sig1=${input}`, signature: `sig1=:${bare}:` }
  assert.equal(verify({ headers: nameless }), true, 'the name of the key is optional')
})
