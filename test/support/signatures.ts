import { generateKeyPairSync } from 'node:crypto'
import type { KeyPair } from '../../src/ap/keys.ts'
import { prepareSignature } from '../../src/ap/signatures/draft-cavage.ts'
import {
  type IncomingRequest,
  isSignedBy,
  SignatureError,
  type SignatureRules,
} from '../../src/ap/signatures/common.ts'

export function ed25519KeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { publicKeyPem: publicKey, privateKeyPem: privateKey }
}

/** Returns the key's id. Throws SignatureError. */
export function verifyRequest(request: IncomingRequest, rules: SignatureRules & { publicKeyPem: string }): string {
  const prepared = prepareSignature(request, rules)
  if (!isSignedBy(prepared, rules.publicKeyPem)) throw new SignatureError('mismatch', 'The signature does not match')
  return prepared.keyId
}
