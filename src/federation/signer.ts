import type { FastifyRequest } from 'fastify'
import { FetchError } from '../net/fetch-error.ts'
import { verifyHttpSignature } from '../ap/http-signature.ts'
import { SignatureError } from '../ap/signed-request.ts'
import type { Context } from '../context.ts'
import { findKey, findNamelessKey } from '../actions/remote/find-key.ts'
import { findKnownKey, type KeyOwner } from '../domain/accounts/keys.ts'
import { isDomainAllowed } from '../domain/peers/domain-policy.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { addressKey, limitFailures } from '../http/ratelimit.ts'
import { AppError, Forbidden } from '../lib/errors.ts'

/** Whether documents are only served to signed requests. */
export const mustSign = (ctx: Context): boolean => ctx.config.authorizedFetch || ctx.config.limitedFederation

/** Whether to fetch an unknown key from a host. */
export type Asks = (host: string) => boolean | Promise<boolean>

/**
 * The account that signed the request for a document, or null. In secure mode (AUTHORIZED_FETCH) and with limited federation,
 * an unsigned request is answered with 401 and a signer of a blocked domain with 403. Otherwise an invalid signature, or one by
 * a key that is neither known nor fetched, counts as none, as public documents are public.
 */
export async function signerOf(ctx: Context, request: FastifyRequest, asks: Asks): Promise<MaybeViewer> {
  if (request.headers.signature === undefined) {
    if (mustSign(ctx)) throw new AppError(401, 'Request not signed')
    return null
  }
  try {
    const owner = await limitFailures(ctx, 'signatures', addressKey(request.ip), () =>
      verifiedOwner(ctx, request, asks),
    )
    if (!owner) return null
    if (!owner.suspended) return owner.accountId === null ? null : { accountId: owner.accountId }
    if (mustSign(ctx)) throw new Forbidden('This server does not speak with you')
    return null
  } catch (error) {
    if (!(error instanceof SignatureError || error instanceof FetchError)) throw error
    if (mustSign(ctx))
      throw new AppError(
        401,
        error instanceof SignatureError ? error.message : 'The key of the signature could not be fetched',
      )
    return null
  }
}

/** The owner of the key. A server that signs with its own key may have no account. */
type Signer = Pick<KeyOwner, 'publicKeyPem' | 'isFresh' | 'suspended'> & { accountId: string | null }

/** The verified signer. Null when its key would have to be fetched. */
async function verifiedOwner(ctx: Context, request: FastifyRequest, asks: Asks): Promise<Signer | null> {
  const { method = 'GET', headers, rawHeaders } = request.raw
  const unknownKey = new Error('the key is not known')
  const rules = {
    hosts: hostsOf(ctx),
    protocol: ctx.config.https ? ('https:' as const) : ('http:' as const),
    findKey: async (keyId: string, options: { refresh: boolean }): Promise<Signer | null> => {
      const host = URL.parse(keyId)?.host
      if (host && !(await isDomainAllowed(ctx, host))) throw new Forbidden('This server does not speak with yours')
      if (mustSign(ctx)) return (await findKey(ctx, keyId, options)) ?? serverOf(ctx, keyId, options)
      if (host && (await asks(host))) return findKey(ctx, keyId, options)
      const known = options.refresh ? null : await findKnownKey(ctx, keyId)
      if (!known) throw unknownKey
      return known
    },
  }
  try {
    return (
      await verifyHttpSignature(
        { method, path: request.originalUrl, headers, rawHeaders, body: Buffer.alloc(0) },
        rules,
      )
    ).key
  } catch (error) {
    if (error === unknownKey) return null
    throw error
  }
}

async function serverOf(ctx: Context, keyId: string, options: { refresh: boolean }): Promise<Signer | null> {
  const publicKeyPem = await findNamelessKey(ctx, keyId, options)
  return publicKeyPem === null ? null : { publicKeyPem, isFresh: options.refresh, accountId: null, suspended: false }
}

/** The Host headers that this server accepts. The default port is not part of a name. */
export function hostsOf(ctx: Context): string[] {
  const { webDomain, localDomain, https } = ctx.config
  const names = [webDomain, localDomain].map((domain) => domain.toLowerCase())
  return [...new Set(https ? names : [...names, ...names.map((name) => name.replace(/:80$/, ''))])]
}
