import assert from 'node:assert/strict'
import { createHmac, createSign } from 'node:crypto'
import { before, test } from 'node:test'
import { ed25519KeyPair, verifyRequest } from '../../../test/support/signatures.ts'
import { generateRsaKeyPair, type KeyPair } from '../keys.ts'
import { SignatureError, bodyHash, type IncomingRequest, type SignatureFailure } from './common.ts'
import { parseSignature, signRequest } from './draft-cavage.ts'

const now = new Date('2026-03-01T12:00:00Z')
const keyId = 'https://a.test/users/ada#main-key'
const body = Buffer.from('{"type":"Follow"}')
const hosts = ['b.test']
let key: KeyPair
let foreignKey: KeyPair

before(async () => {
  ;[key, foreignKey] = await Promise.all([generateRsaKeyPair(), generateRsaKeyPair()])
})

async function delivery(): Promise<IncomingRequest> {
  const signed = await signRequest({
    method: 'POST',
    url: 'https://b.test/inbox?x=1',
    body,
    keyId,
    privateKeyPem: key.privateKeyPem,
    now,
    headers: { 'content-type': 'application/activity+json' },
  })
  return {
    method: 'POST',
    path: '/inbox?x=1',
    body,
    headers: { 'content-type': 'application/activity+json', ...signed },
  }
}

/** Signs the named lines, with any algorithm name. */
function handmade(lines: [string, string][], extra = 'algorithm="hs2019"', privateKeyPem = key.privateKeyPem): string {
  const base = lines.map(([name, value]) => `${name}: ${value}`).join('\n')
  const signature = createSign('sha256').update(base).sign(privateKeyPem, 'base64')
  return `keyId="${keyId}",${extra},headers="${lines.map(([name]) => name).join(' ')}",signature="${signature}"`
}

const verify = (request: IncomingRequest, at = now): string =>
  verifyRequest(request, { hosts, now: at, publicKeyPem: key.publicKeyPem })

function refuses(request: IncomingRequest, reason: SignatureFailure, at = now): void {
  assert.throws(
    () => verify(request, at),
    (error: unknown) => {
      assert.ok(error instanceof SignatureError, String(error))
      assert.equal(error.reason, reason, error.message)
      return true
    },
  )
}

const date = now.toUTCString()
const digest = `SHA-256=${bodyHash(body)}`
const complete: [string, string][] = [
  ['(request-target)', 'post /inbox'],
  ['host', 'b.test'],
  ['date', date],
  ['digest', digest],
]
const plain = (lines = complete, extra?: string): IncomingRequest => ({
  method: 'POST',
  path: '/inbox',
  body,
  headers: { host: 'b.test', date, digest, signature: handmade(lines, extra) },
})

test('a signed request verifies', async () => {
  const request = await delivery()
  assert.equal(verify(request), keyId)
  assert.match(String(request.headers['signature']), /headers="\(request-target\) host date digest content-type"/)
  const signed = await signRequest({
    method: 'GET',
    url: 'https://b.test/users/b',
    keyId,
    privateKeyPem: key.privateKeyPem,
    now,
  })
  assert.equal(signed['digest'], undefined)
  assert.equal(verify({ method: 'GET', path: '/users/b', headers: signed, body: Buffer.alloc(0) }), keyId)
})

test('a changed body, target, method, header or host is refused', async () => {
  const request = await delivery()
  const headers = request.headers
  refuses({ ...request, body: Buffer.from('{"type":"Delete"}') }, 'digest')
  refuses({ ...request, body: Buffer.alloc(0) }, 'digest')
  const swapped = Buffer.from('{"type":"Delete"}')
  refuses({ ...request, body: swapped, headers: { ...headers, digest: `SHA-256=${bodyHash(swapped)}` } }, 'mismatch')
  refuses({ ...request, path: '/inbox?x=2' }, 'mismatch')
  refuses({ ...request, path: '/inbox' }, 'mismatch')
  refuses({ ...request, method: 'PUT' }, 'mismatch')
  refuses({ ...request, headers: { ...headers, 'content-type': 'text/html' } }, 'mismatch')
  refuses({ ...request, headers: { ...headers, host: 'c.test' } }, 'host')
  refuses({ ...request, headers: { ...headers, host: undefined } }, 'host')
  assert.throws(() => verifyRequest(request, { hosts: ['c.test'], now, publicKeyPem: key.publicKeyPem }), {
    reason: 'host',
  })
})

test('a request for another host of this server cannot be replayed', async () => {
  const request = await delivery()
  const twoHosts = { hosts: ['b.test', 'c.test'], now, publicKeyPem: key.publicKeyPem }
  assert.throws(() => verifyRequest({ ...request, headers: { ...request.headers, host: 'c.test' } }, twoHosts), {
    reason: 'mismatch',
  })
})

test('target, host, date and digest must be signed', () => {
  for (const missing of complete.map(([name]) => name)) {
    refuses(plain(complete.filter(([name]) => name !== missing)), 'unsigned')
  }
  assert.equal(verify(plain()), keyId)
  refuses(
    { ...plain(), headers: { ...plain().headers, signature: handmade(complete).replace(/headers="[^"]*",/, '') } },
    'unsigned',
  )
})

test('a GET with a body needs a digest as well', () => {
  const lines: [string, string][] = [['(request-target)', 'get /inbox'], ...complete.slice(1, 3)]
  const request = { ...plain(lines), method: 'GET', body: Buffer.alloc(0) }
  assert.equal(verify(request), keyId)
  refuses({ ...request, body }, 'unsigned')
})

test('signatures live five minutes, or up to twelve hours with a signed expiry, plus an hour of clock skew', () => {
  const minutes = (count: number) => new Date(now.getTime() + count * 60_000)
  assert.equal(verify(plain(), minutes(64)), keyId)
  refuses(plain(), 'time', minutes(66))
  assert.equal(verify(plain(), minutes(-59)), keyId)
  refuses(plain(), 'time', minutes(-61))
  const seconds = now.getTime() / 1000
  const withTimes = (created: number, expires: number, lines: [string, string][] = []): IncomingRequest =>
    plain(
      [...complete.filter(([name]) => name !== 'date'), ['(created)', String(created)], ...lines],
      `algorithm="hs2019",created=${created},expires=${expires}`,
    )
  const expires = seconds + 30 * 3600
  assert.equal(verify(withTimes(seconds, expires, [['(expires)', String(expires)]]), minutes(12 * 60 + 59)), keyId)
  refuses(withTimes(seconds, expires, [['(expires)', String(expires)]]), 'time', minutes(13 * 60 + 1))
  refuses(withTimes(seconds, expires), 'time', minutes(66)) // an unsigned expiry does not extend the lifetime
  refuses(withTimes(seconds, seconds - 3601, []), 'time')
  refuses(withTimes(seconds + 3700, expires), 'time')
})

test('a created time that is not signed does not replace the date', () => {
  refuses(
    plain(
      complete.filter(([name]) => name !== 'date'),
      `algorithm="hs2019",created=${now.getTime() / 1000}`,
    ),
    'unsigned',
  )
})

test('a malformed or repeated date is refused', () => {
  for (const bad of ['yesterday', '', '2026-03-01T12:00:00Z', '1']) {
    const request = plain(complete.map(([name, value]) => [name, name === 'date' ? bad : value]))
    refuses({ ...request, headers: { ...request.headers, date: bad } }, 'malformed')
  }
  const request = plain()
  refuses(
    {
      ...request,
      rawHeaders: Object.entries({ ...request.headers })
        .flat()
        .map(String)
        .concat('Date', date),
    },
    'malformed',
  )
})

test('repeated headers are refused', async () => {
  const request = await delivery()
  const raw = Object.entries(request.headers).flat().map(String)
  assert.equal(verify({ ...request, rawHeaders: raw }), keyId)
  for (const [name, value] of [
    ['Host', 'b.test'],
    ['host', 'evil.test'],
    ['Digest', 'SHA-256=x'],
    ['Content-Type', 'text/html'],
  ] as const) {
    refuses({ ...request, rawHeaders: [...raw, name, value] }, 'malformed')
    refuses({ ...request, rawHeaders: [name, value, ...raw] }, 'malformed')
  }
  refuses({ ...request, rawHeaders: [...raw, 'Signature', String(request.headers['signature'])] }, 'malformed')
  refuses({ ...request, headers: { ...request.headers, digest: [digest, digest] } }, 'malformed')
})

test('the digest must be one SHA-256', () => {
  const withDigest = (value: string): IncomingRequest => {
    const request = plain(complete.map(([name, old]) => [name, name === 'digest' ? value : old]))
    return { ...request, headers: { ...request.headers, digest: value } }
  }
  assert.equal(verify(withDigest(`sha-256=${bodyHash(body)}`)), keyId)
  assert.equal(verify(withDigest(`SHA-512=${bodyHash(body, 'sha512')},SHA-256=${bodyHash(body)}`)), keyId)
  for (const bad of [
    '',
    'SHA-256=',
    'MD5=x',
    `SHA-512=${bodyHash(body, 'sha512')}`,
    `SHA-256=x,${digest}`,
    `${digest},SHA-256=x`,
    bodyHash(body),
  ]) {
    refuses(withDigest(bad), 'digest')
  }
})

test('the key decides the algorithm: HMAC with the public key and other claims are refused', async () => {
  const base = complete.map(([name, value]) => `${name}: ${value}`).join('\n')
  const forged = createHmac('sha256', key.publicKeyPem).update(base).digest('base64')
  for (const algorithm of ['hmac-sha256', 'hs2019', 'rsa-sha256', 'none', '']) {
    const signature = `keyId="${keyId}",algorithm="${algorithm}",headers="(request-target) host date digest",signature="${forged}"`
    refuses(
      { ...plain(), headers: { ...plain().headers, signature } },
      /hs2019|rsa-sha256/.test(algorithm) ? 'mismatch' : 'unsupported',
    )
  }
  for (const algorithm of ['rsa-sha1', 'rsa-sha512', 'ed25519', 'ecdsa-sha256'])
    refuses(plain(complete, `algorithm="${algorithm}"`), 'unsupported')
  const { publicKeyPem } = ed25519KeyPair()
  assert.throws(() => verifyRequest(plain(), { hosts, now, publicKeyPem }), { reason: 'key' })
  for (const pem of ['', 'hello', key.privateKeyPem]) {
    assert.throws(() => verifyRequest(plain(), { hosts, now, publicKeyPem: pem }), { reason: 'key' })
  }
})

test('a signature with a foreign key is refused', () => {
  const request = plain()
  refuses(
    {
      ...request,
      headers: {
        ...request.headers,
        signature: handmade(complete, 'algorithm="rsa-sha256"', foreignKey.privateKeyPem),
      },
    },
    'mismatch',
  )
})

test('pseudo-headers and signed headers must exist', () => {
  const seconds = String(now.getTime() / 1000)
  refuses(plain([...complete, ['(created)', seconds]]), 'malformed')
  refuses(plain([...complete, ['(created)', seconds]], `algorithm="rsa-sha256",created=${seconds}`), 'malformed')
  refuses(plain([...complete, ['x-missing', '']]), 'malformed')
})

test('the query may be missing from the signed target, as older Mastodon and Fedify sign', () => {
  const request = {
    ...plain([['(request-target)', 'get /outbox'], ...complete.slice(1, 3)]),
    method: 'GET',
    body: Buffer.alloc(0),
  }
  assert.equal(verify({ ...request, path: '/outbox?page=true' }), keyId)
  refuses({ ...request, path: '/inbox?page=true' }, 'mismatch')
})

test('malformed Signature headers are refused', () => {
  const signature = 'c2lnbmF0dXJl'
  const good = `keyId="k",headers="host date",signature="${signature}"`
  assert.deepEqual(parseSignature(good).headers, ['host', 'date'])
  assert.equal(parseSignature(`keyId=k, created=12 , headers="Host",signature="${signature}"`).created, 12)
  for (const bad of [
    '',
    ',',
    'Signature',
    'keyId="k"',
    `signature="${signature}"`,
    `${good},keyId="other"`,
    `${good},signature="${signature}"`,
    `${good},`,
    `${good} trailing`,
    `${good},created="soon"`,
    `${good},created=-1`,
    `${good},expires=1e9`,
    `keyId="k",headers="host host",signature="${signature}"`,
    'keyId="k",signature="not base64!"',
    'keyId="k",signature="YQ"',
    'keyId="k\\"",signature="YQ=="',
    `keyId="",signature="${signature}"`,
    'keyId="'.repeat(2000),
    `a=${'b'.repeat(9000)}`,
  ]) {
    assert.throws(() => parseSignature(bad), { reason: 'malformed' }, bad.slice(0, 60))
  }
})

test('an unsigned request has its own error reason', () => {
  refuses({ ...plain(), headers: { host: 'b.test' } }, 'missing')
})
