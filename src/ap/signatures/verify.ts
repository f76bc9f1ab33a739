import { prepareMessageSignature } from './rfc9421.ts'
import { prepareSignature } from './draft-cavage.ts'
import { SignatureError, isSignedBy } from './common.ts'
import type { IncomingRequest, SignatureRules } from './common.ts'

export type FoundKey = {
  publicKeyPem: string
  /** The key was just fetched: fetching it again is useless. */
  isFresh?: boolean
}

export type VerifyOptions<K extends FoundKey> = SignatureRules & {
  /**
   * With `refresh`, it must fetch the key from its owner even if one is stored. It must verify that the owner's document names
   * the key.
   */
  findKey(keyId: string, options: { refresh: boolean }): Promise<K | null>
}

export type VerifiedSignature<K> = {
  key: K
  /** The bytes of the signature, which identify the request: only a replay has the same ones. */
  signature: Buffer
  covered: readonly string[]
}

/**
 * Uses RFC 9421 if the request has `Signature-Input`, otherwise draft-cavage-http-signatures. Checks everything that needs no
 * key before it calls `findKey`, so that invalid requests cause no fetches. Fetches a stored key that does not match again once,
 * as its owner may have changed it. Throws SignatureError.
 */
export async function verifyHttpSignature<K extends FoundKey>(
  request: IncomingRequest,
  options: VerifyOptions<K>,
): Promise<VerifiedSignature<K>> {
  const prepare = request.headers['signature-input'] === undefined ? prepareSignature : prepareMessageSignature
  const prepared = prepare(request, options)
  const { keyId, signature, covered } = prepared
  const stored = await options.findKey(keyId, { refresh: false })
  if (stored !== null && matches(stored)) return { key: stored, signature, covered }
  const fresh = stored === null || stored.isFresh ? null : await options.findKey(keyId, { refresh: true })
  if (fresh !== null && isSignedBy(prepared, fresh.publicKeyPem)) return { key: fresh, signature, covered }
  if (stored === null) throw new SignatureError('key', 'The key of the signature could not be found')
  throw new SignatureError('mismatch', 'The signature does not match')

  function matches(key: K): boolean {
    try {
      return isSignedBy(prepared, key.publicKeyPem)
    } catch {
      return false // The stored key is unusable, but its owner may have replaced it.
    }
  }
}
