import { createPrivateKey, createPublicKey, generateKeyPair, generateKeyPairSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { base58 } from '@scure/base'
import { lruCache } from '../lib/lru-cache.ts'

export type KeyPair = {
  /** SPKI, PEM. */
  publicKeyPem: string
  /** PKCS #8, PEM. */
  privateKeyPem: string
}

const generate = promisify(generateKeyPair)
const encodings = {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const
const MAX_PEM_LENGTH = 8192
/** BookWyrm and Bridgy Fed generated keys of 1024 bits for long, and accounts keep their keys. */
const MIN_RSA_BITS = 1024
const MAX_RSA_BITS = 8192
const ed25519Prefix = Buffer.from([0xed, 0x01])
const publicKeys = lruCache<string, KeyObject>({ max: 4096 })
const privateKeys = lruCache<string, KeyObject>({ max: 1024 })

/** Works off the main thread. All servers can verify RSA-2048 signatures. */
export async function generateRsaKeyPair(): Promise<KeyPair> {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: 2048, ...encodings })
  return { publicKeyPem: publicKey, privateKeyPem: privateKey }
}

/** The private key, PKCS #8, PEM. */
export const generateEd25519Key = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

/**
 * Accepts PEM with SPKI or PKCS #1. Null for anything other than an RSA key of 1024 to 8192 bits or an Ed25519 key. Parsed keys
 * are cached.
 */
export function importPublicKey(pem: string): KeyObject | null {
  const cached = publicKeys.get(pem)
  if (cached !== undefined) return cached
  // createPublicKey also accepts private keys and certificates.
  if (pem.length > MAX_PEM_LENGTH || !/^\s*-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem)) return null
  try {
    const key = createPublicKey(pem)
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
    const isRsa = key.asymmetricKeyType === 'rsa' && bits >= MIN_RSA_BITS && bits <= MAX_RSA_BITS
    if (key.asymmetricKeyType !== 'ed25519' && !isRsa) return null
    publicKeys.set(pem, key)
    return key
  } catch {
    return null
  }
}

/** Throws when the key is malformed. Parsed keys are cached. */
export function importPrivateKey(pem: string): KeyObject {
  const cached = privateKeys.get(pem)
  if (cached !== undefined) return cached
  const key = createPrivateKey(pem)
  privateKeys.set(pem, key)
  return key
}

/** The PEM of the `publicKeyMultibase` of a Multikey (base58btc, multicodec 0xed). Null when it is not an Ed25519 key. */
export function pemFromMultibase(multibase: string): string | null {
  if (!multibase.startsWith('z') || multibase.length > 64) return null
  try {
    const bytes = Buffer.from(base58.decode(multibase.slice(1)))
    if (bytes.length !== 34 || !bytes.subarray(0, 2).equals(ed25519Prefix)) return null
    return pemFromEd25519(bytes.subarray(2))
  } catch {
    return null
  }
}

const jwkOf = (bytes: Buffer) => ({ kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') })

/** The PEM of the 32 bytes of an Ed25519 key. Throws for other bytes. */
export const pemFromEd25519 = (bytes: Buffer): string =>
  createPublicKey({ key: jwkOf(bytes), format: 'jwk' }).export({ type: 'spki', format: 'pem' }) as string

/** The 32 bytes of the public key of an Ed25519 key, which may be private. Throws for other keys. */
export function ed25519Bytes(pem: string): Buffer {
  const { crv, x } = createPublicKey(pem).export({ format: 'jwk' })
  if (crv !== 'Ed25519' || x === undefined) throw new Error('not an Ed25519 key')
  return Buffer.from(x, 'base64url')
}
