import type { FastifyInstance, FastifyRequest } from 'fastify'
import { FetchError, isTemporary } from '../net/fetch-error.ts'
import { type FoundKey, type VerifiedSignature, verifyHttpSignature } from '../ap/signatures/verify.ts'
import { SignatureError, type SignatureRules } from '../ap/signatures/common.ts'
import type { Context } from '../context.ts'
import { findKey, findNamelessKey } from '../actions/remote/find-key.ts'
import { findKnownKey, type KeyOwner } from '../domain/accounts/keys.ts'
import { isDomainAllowed } from '../domain/peers/domain-policy.ts'
import { localDomains } from '../domain/server/addresses.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { addressKey, limitFailures } from '../http/ratelimit.ts'
import { AppError, Forbidden, Unavailable } from '../lib/errors.ts'

export const mustSign = (ctx: Context): boolean => ctx.config.authorizedFetch || ctx.config.limitedFederation

export const notSigned = (): AppError => new AppError(401, 'Request not signed')
export const notFederated = (): Forbidden => new Forbidden('This server does not federate with yours')
const KEY_UNREACHABLE = 'The key of the signature could not be fetched'

export type MayFetchKey = (host: string) => boolean | Promise<boolean>

/**
 * In secure mode (AUTHORIZED_FETCH) and with limited federation, an unsigned request gets 401 and a signer of a blocked domain
 * 403. Otherwise public documents are public: a request without a valid signature, or whose key is neither known nor fetched,
 * has no viewer.
 */
export async function signerOf(ctx: Context, request: FastifyRequest, mayFetchKey: MayFetchKey): Promise<MaybeViewer> {
  if (request.headers.signature === undefined) {
    if (mustSign(ctx)) throw notSigned()
    return null
  }
  try {
    const owner = await limitFailures(ctx, 'signatures', addressKey(request.ip), () =>
      verifiedOwner(ctx, request, mayFetchKey),
    )
    if (!owner) return null
    if (!owner.suspended) return owner.accountId === null ? null : { accountId: owner.accountId }
    if (mustSign(ctx)) throw notFederated()
    return null
  } catch (error) {
    if (!(error instanceof SignatureError || error instanceof FetchError)) throw error
    if (mustSign(ctx)) throw new AppError(401, error instanceof SignatureError ? error.message : KEY_UNREACHABLE)
    return null
  }
}

type FindKey<K> = (keyId: string, options: { refresh: boolean }, host: string | undefined) => Promise<K | null>

/**
 * The account that signed a request that changes something. Throws 401 for a missing or invalid signature, 403 for a blocked
 * domain, and 503 when the key cannot be fetched at the moment. The account may be suspended.
 */
export async function requireSigner(
  ctx: Context,
  request: FastifyRequest,
  body: Buffer,
  find: FindKey<KeyOwner> = (keyId, options) => findKey(ctx, keyId, options),
): Promise<VerifiedSignature<KeyOwner>> {
  try {
    return await verify(ctx, request, { path: request.url, body }, find)
  } catch (error) {
    if (error instanceof SignatureError) throw new AppError(401, error.message)
    if (error instanceof FetchError && isTemporary(error)) throw new Unavailable(KEY_UNREACHABLE, error)
    if (error instanceof FetchError) throw new AppError(401, KEY_UNREACHABLE)
    throw error
  }
}

type Signer = Pick<KeyOwner, 'publicKeyPem' | 'isFresh' | 'suspended'> & { accountId: string | null }

/** Null when the key is unknown and must not be fetched. */
async function verifiedOwner(ctx: Context, request: FastifyRequest, mayFetchKey: MayFetchKey): Promise<Signer | null> {
  const unknownKey = new Error('unknown key')
  const find: FindKey<Signer> = async (keyId, options, host) => {
    if (mustSign(ctx)) return (await findKey(ctx, keyId, options)) ?? findNamelessSigner(ctx, keyId, options)
    if (host && (await mayFetchKey(host))) return findKey(ctx, keyId, options)
    const known = options.refresh ? null : await findKnownKey(ctx, keyId)
    if (!known) throw unknownKey
    return known
  }
  try {
    return (await verify(ctx, request, { path: request.originalUrl, body: Buffer.alloc(0) }, find)).key
  } catch (error) {
    if (error === unknownKey) return null
    throw error
  }
}

/** Throws SignatureError; Forbidden for a key on a blocked domain; and what `find` throws. */
function verify<K extends FoundKey>(
  ctx: Context,
  request: FastifyRequest,
  signed: { path: string; body: Buffer },
  find: FindKey<K>,
): Promise<VerifiedSignature<K>> {
  const { headers, rawHeaders } = request.raw
  return verifyHttpSignature(
    { ...signed, method: request.method, headers, rawHeaders },
    {
      ...signatureRules(ctx),
      findKey: async (keyId, options) => {
        const host = URL.parse(keyId)?.host
        if (host && !(await isDomainAllowed(ctx, host))) throw notFederated()
        return find(keyId, options, host)
      },
    },
  )
}

/** An actor without a handle, which signs in the name of its server. Null when there is none. Throws FetchError. */
async function findNamelessSigner(ctx: Context, keyId: string, options: { refresh: boolean }): Promise<Signer | null> {
  const publicKeyPem = await findNamelessKey(ctx, keyId, options)
  return publicKeyPem === null ? null : { publicKeyPem, isFresh: options.refresh, accountId: null, suspended: false }
}

/** Which requests are addressed to this server. */
export const signatureRules = (ctx: Context): SignatureRules => ({
  hosts: hostsOf(ctx),
  protocol: ctx.config.https ? 'https:' : 'http:',
})

function hostsOf(ctx: Context): string[] {
  const names = localDomains(ctx)
  return [...new Set(ctx.config.https ? names : [...names, ...names.map((name) => name.replace(/:80$/, ''))])]
}

/** The signature covers the bytes of the body, so Fastify must not parse it. `bodyLimit`: in bytes. */
export function takeBodiesAsBytes(scope: FastifyInstance, types: string | string[], bodyLimit: number): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    types,
    { parseAs: 'buffer', bodyLimit },
    async (_request: FastifyRequest, body: Buffer) => body,
  )
}

export const bodyBytesOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))
