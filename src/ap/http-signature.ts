import { prepareMessageSignature } from './message-signatures.ts'
import { prepareSignature } from './signatures.ts'
import { SignatureError, isSignedBy } from './signed-request.ts'
import type { IncomingRequest, SignatureRules } from './signed-request.ts'

export interface FoundKey {
  publicKeyPem: string
  /** Set when it was fetched just now, so that fetching it again could not help. */
  isFresh?: boolean
}

export interface VerifyOptions<K extends FoundKey> extends SignatureRules {
  /**
   * The key with this id, or null when there is none. With `refresh` what is stored must be passed over and the
   * key be fetched from its owner. It must make sure that the owner's document names the key.
   */
  findKey(keyId: string, options: { refresh: boolean }): Promise<K | null>
}

export interface VerifiedSignature<K> {
  keyId: string
  /** What `findKey` returned for the key that matched. */
  key: K
  scheme: 'draft-cavage' | 'rfc9421'
  /** The bytes of the signature: the same for a request that is played again, and for no other. */
  signature: Buffer
  /** Which headers and other components the signature covers, in lower case. */
  covered: readonly string[]
}

/**
 * Who signed this request? Both schemes are understood; a request with `Signature-Input` is RFC 9421. All that
 * can be checked without the key is checked before `findKey` is called, so junk causes no fetches. A stored key
 * that does not match is refreshed once: its owner may have changed it. Throws SignatureError.
 */
export async function verifyHttpSignature<K extends FoundKey>(
  request: IncomingRequest,
  options: VerifyOptions<K>,
): Promise<VerifiedSignature<K>> {
  const scheme = request.headers['signature-input'] === undefined ? 'draft-cavage' : 'rfc9421'
  const prepared = scheme === 'rfc9421' ? prepareMessageSignature(request, options) : prepareSignature(request, options)
  const { keyId, signature, covered } = prepared
  const stored = await options.findKey(keyId, { refresh: false })
  if (stored !== null && matches(stored)) return { keyId, key: stored, scheme, signature, covered }
  const fresh = stored === null || stored.isFresh ? null : await options.findKey(keyId, { refresh: true })
  if (fresh !== null && isSignedBy(prepared, fresh.publicKeyPem))
    return { keyId, key: fresh, scheme, signature, covered }
  if (stored === null) throw new SignatureError('key', 'The key of the signature could not be found')
  throw new SignatureError('mismatch', 'The signature does not match')

  function matches(key: K): boolean {
    try {
      return isSignedBy(prepared, key.publicKeyPem)
    } catch {
      return false // A stored key that cannot be used may have been replaced by one that can.
    }
  }
}
