import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { before, test } from 'node:test'
import { signRequest as signWithFedify } from '@fedify/fedify/sig'
import { verifyHttpSignature } from './verify.ts'
import type { FoundKey } from './verify.ts'
import { generateRsaKeyPair } from '../keys.ts'
import type { KeyPair } from '../keys.ts'
import { signMessage } from './rfc9421.ts'
import type { IncomingRequest } from './common.ts'
import { signRequest } from './draft-cavage.ts'

const keyId = 'https://a.test/users/ada#main-key'
const body = Buffer.from('{"type":"Follow"}')
const hosts = ['b.test']
let key: KeyPair
let oldKey: KeyPair

before(async () => {
  ;[key, oldKey] = await Promise.all([generateRsaKeyPair(), generateRsaKeyPair()])
})

async function signed(signer: typeof signRequest, pair = key): Promise<IncomingRequest> {
  const headers = await signer({
    method: 'POST',
    url: 'https://b.test/inbox',
    body,
    keyId,
    privateKeyPem: pair.privateKeyPem,
  })
  return { method: 'POST', path: '/inbox', body, headers }
}

/** A key store: `stored` answers first, `published` answers a refresh. */
function keys(stored: FoundKey | null, published: FoundKey | null = stored) {
  const asked: boolean[] = []
  return {
    asked,
    hosts,
    findKey: async (id: string, { refresh }: { refresh: boolean }) => {
      assert.equal(id, keyId)
      asked.push(refresh)
      return refresh ? published : stored
    },
  }
}

test('both signature schemes return the key of the caller', async () => {
  const found = { publicKeyPem: key.publicKeyPem, actor: 'https://a.test/users/ada' }
  for (const [signer, digest] of [
    [signRequest, 'digest'],
    [signMessage, 'content-digest'],
  ] as const) {
    const store = keys(found)
    const { signature, covered, ...verified } = await verifyHttpSignature(await signed(signer), store)
    assert.deepEqual([verified, signature.length], [{ key: found }, 256])
    assert(covered.includes(digest))
    assert.deepEqual(store.asked, [false])
  }
})

test('old libraries repeat the name of the scheme in the Signature header', async () => {
  const request = await signed(signRequest)
  const named = (prefix: string): IncomingRequest => ({
    ...request,
    headers: { ...request.headers, signature: `${prefix}${String(request.headers['signature'])}` },
  })
  const store = keys({ publicKeyPem: key.publicKeyPem })
  await verifyHttpSignature(named('Signature '), store)
  await assert.rejects(verifyHttpSignature(named('Signature Signature '), store), { reason: 'malformed' })
})

test('a key that its owner changed is fetched again once', async () => {
  for (const publicKeyPem of [oldKey.publicKeyPem, 'unreadable']) {
    const store = keys({ publicKeyPem }, { publicKeyPem: key.publicKeyPem })
    assert.equal((await verifyHttpSignature(await signed(signRequest), store)).key.publicKeyPem, key.publicKeyPem)
    assert.deepEqual(store.asked, [false, true])
  }
})

test('a foreign key is refused after at most one refresh', async () => {
  const request = await signed(signRequest, oldKey)
  const store = keys({ publicKeyPem: key.publicKeyPem })
  await assert.rejects(verifyHttpSignature(request, store), { reason: 'mismatch' })
  assert.deepEqual(store.asked, [false, true])
  const fresh = keys({ publicKeyPem: key.publicKeyPem, isFresh: true })
  await assert.rejects(verifyHttpSignature(request, fresh), { reason: 'mismatch' })
  assert.deepEqual(fresh.asked, [false])
  const unknown = keys(null)
  await assert.rejects(verifyHttpSignature(request, unknown), { reason: 'key' })
  assert.deepEqual(unknown.asked, [false])
  await assert.rejects(verifyHttpSignature(request, keys({ publicKeyPem: key.publicKeyPem }, null)), {
    reason: 'mismatch',
  })
})

test('an invalid request is refused without fetching its key', async () => {
  const request = await signed(signRequest)
  for (const change of [
    { body: Buffer.from('{}') },
    { headers: {} },
    { headers: { ...request.headers, host: 'c.test' } },
  ]) {
    const store = keys({ publicKeyPem: key.publicKeyPem })
    await assert.rejects(verifyHttpSignature({ ...request, ...change }, store), { name: 'SignatureError' })
    assert.deepEqual(store.asked, [])
  }
})

test('a request with Signature-Input cannot fall back to the older scheme', async () => {
  const request = await signed(signRequest)
  await assert.rejects(
    verifyHttpSignature(
      { ...request, headers: { ...request.headers, 'signature-input': 'sig1=()' } },
      keys({ publicKeyPem: key.publicKeyPem }),
    ),
    { reason: 'malformed' },
  )
})

test('requests signed by Fedify are understood in both schemes', async () => {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const der = createPrivateKey(key.privateKeyPem).export({ type: 'pkcs8', format: 'der' })
  const privateKey = await crypto.subtle.importKey('pkcs8', der, algorithm, true, ['sign'])
  for (const spec of ['draft-cavage-http-signatures-12', 'rfc9421'] as const) {
    const outgoing = new Request('https://b.test/inbox?a=b', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/activity+json' },
    })
    const request = await signWithFedify(outgoing, privateKey, new URL(keyId), { spec })
    const incoming = {
      method: 'POST',
      path: '/inbox?a=b',
      body,
      headers: { host: 'b.test', ...Object.fromEntries(request.headers) },
    }
    const { covered } = await verifyHttpSignature(incoming, keys({ publicKeyPem: key.publicKeyPem }))
    assert(covered.includes(spec === 'rfc9421' ? 'content-digest' : 'digest'))
  }
})
