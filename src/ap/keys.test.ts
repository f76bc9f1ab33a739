import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { generateEd25519KeyPair, generateRsaKeyPair, importPublicKey, pemFromMultibase, toMultibase } from './keys.ts'

test('new pairs are PEM in SPKI and PKCS #8', async () => {
  for (const pair of [await generateRsaKeyPair(), await generateEd25519KeyPair()]) {
    assert.match(pair.publicKeyPem, /^-----BEGIN PUBLIC KEY-----\n/)
    assert.match(pair.privateKeyPem, /^-----BEGIN PRIVATE KEY-----\n/)
    assert.ok(importPublicKey(pair.publicKeyPem))
  }
})

test('only Ed25519 and RSA of an accepted size are valid public keys', async () => {
  const { privateKeyPem, publicKeyPem } = await generateRsaKeyPair()
  const rsa = (modulusLength: number, type: 'spki' | 'pkcs1') =>
    generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ type, format: 'pem' }) as string
  assert.ok(importPublicKey(rsa(2048, 'pkcs1')))
  assert.ok(importPublicKey(`\n${publicKeyPem.replaceAll('\n', '\r\n')}`))
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    type: 'spki',
    format: 'pem',
  }) as string
  for (const pem of [
    rsa(1024, 'spki'),
    curve,
    privateKeyPem,
    '',
    'text',
    publicKeyPem.slice(0, 100),
    publicKeyPem + 'x'.repeat(9000),
  ]) {
    assert.equal(importPublicKey(pem), null, pem.slice(0, 40))
  }
})

test('Multikey text and PEM are two forms of one key', async () => {
  const { publicKeyPem } = await generateEd25519KeyPair()
  const multibase = toMultibase(publicKeyPem)
  assert.match(multibase, /^z6Mk/)
  assert.equal(pemFromMultibase(multibase), publicKeyPem)
  for (const bad of ['', 'z', 'z6Mk', `u${multibase}`, multibase.slice(0, -1), `${multibase}0`, 'z'.repeat(1e6)])
    assert.equal(pemFromMultibase(bad), null)
})
