import { createPublicKey, verify } from 'node:crypto'

/** Base64, with or without its padding. Libraries for private messages leave it out. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

function bytesOf(text: string, length: number): Buffer | null {
  const bytes = BASE64.test(text) ? Buffer.from(text, 'base64') : null
  return bytes?.length === length ? bytes : null
}

/** Whether a text is the base64 of 32 bytes: what public keys of Ed25519 and Curve25519 alike are. */
export const isKey = (text: string): boolean => bytesOf(text, 32) !== null

/** Whether `signature` (base64) was made over the text itself with the Ed25519 key (base64) `verifyKey`. */
export function isSignatureOver(text: string, signature: string, verifyKey: string): boolean {
  const [raw, signed] = [bytesOf(verifyKey, 32), bytesOf(signature, 64)]
  if (!raw || !signed) return false
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' })
    return verify(null, Buffer.from(text), key, signed)
  } catch {
    // 32 bytes, but no point on the curve.
    return false
  }
}
