import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { base58 } from '@scure/base'
import { ed25519KeyPair } from '../../test/support/signatures.ts'
import { generateRsaKeyPair, importPublicKey, pemFromMultibase } from './keys.ts'

test('new pairs are PEM in SPKI and PKCS #8', async () => {
  const { publicKeyPem, privateKeyPem } = await generateRsaKeyPair()
  assert.match(publicKeyPem, /^-----BEGIN PUBLIC KEY-----\n/)
  assert.match(privateKeyPem, /^-----BEGIN PRIVATE KEY-----\n/)
  assert.ok(importPublicKey(publicKeyPem))
  assert.ok(importPublicKey(ed25519KeyPair().publicKeyPem))
})

test('only Ed25519 and RSA of an accepted size are valid public keys', async () => {
  const { privateKeyPem, publicKeyPem } = await generateRsaKeyPair()
  const rsa = (modulusLength: number, type: 'spki' | 'pkcs1') =>
    generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ type, format: 'pem' }) as string
  assert.ok(importPublicKey(rsa(2048, 'pkcs1')))
  assert.ok(importPublicKey(rsa(1024, 'spki')))
  assert.ok(importPublicKey(`\n${publicKeyPem.replaceAll('\n', '\r\n')}`))
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    type: 'spki',
    format: 'pem',
  }) as string
  for (const pem of [
    rsa(1016, 'spki'),
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

test('Multikey text and PEM are two forms of one key', () => {
  const { publicKeyPem } = ed25519KeyPair()
  const key = Buffer.from(createPublicKey(publicKeyPem).export({ format: 'jwk' }).x ?? '', 'base64url')
  const multibase = `z${base58.encode(Buffer.concat([Buffer.from([0xed, 0x01]), key]))}`
  assert.match(multibase, /^z6Mk/)
  assert.equal(pemFromMultibase(multibase), publicKeyPem)
  for (const bad of ['', 'z', 'z6Mk', `u${multibase}`, multibase.slice(0, -1), `${multibase}0`, 'z'.repeat(1e6)])
    assert.equal(pemFromMultibase(bad), null)
})
