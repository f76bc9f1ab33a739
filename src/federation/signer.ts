import type { FastifyRequest } from 'fastify'
import { FetchError } from '../net/fetch-error.ts'
import { verifyHttpSignature } from '../ap/http-signature.ts'
import { SignatureError } from '../ap/signed-request.ts'
import type { Context } from '../context.ts'
import { findKey, findKnownKey, findNamelessKey, type KeyOwner } from '../domain/accounts/remote-keys.ts'
import { isDomainAllowed } from '../domain/peers/domain-policy.ts'
import type { Onlooker } from '../domain/statuses/visibility.ts'
import { addressKey, limitFailures } from '../http/ratelimit.ts'
import { AppError, Forbidden } from '../lib/errors.ts'

/** Whether documents are only for those who say who they are. */
export const mustSign = (ctx: Context): boolean => ctx.config.authorizedFetch || ctx.config.limitedFederation

/** Whether a host is to be asked for a key of its that is not known here. */
export type Asks = (host: string) => boolean | Promise<boolean>

/**
 * On whose behalf a document is asked for: the account that signed the request, or nobody. In secure mode (AUTHORIZED_FETCH)
 * and with limited federation nobody is told nothing: 401. A signer of a blocked domain: 403. Otherwise a signature that
 * does not hold, or by a key that is neither known nor asked for, is as good as none: what is public is public.
 */
export async function signerOf(ctx: Context, request: FastifyRequest, asks: Asks): Promise<Onlooker> {
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

/** Who signs; a server that does so in its own name may have no account. */
type Signer = Pick<KeyOwner, 'publicKeyPem' | 'isFresh' | 'suspended'> & { accountId: string | null }

/** Who signed a request. Null where that would have to be asked for. */
async function verifiedOwner(ctx: Context, request: FastifyRequest, asks: Asks): Promise<Signer | null> {
  const { method = 'GET', headers, rawHeaders } = request.raw
  const unasked = new Error('would have to be asked for')
  const rules = {
    hosts: hostsOf(ctx),
    protocol: ctx.config.https ? ('https:' as const) : ('http:' as const),
    findKey: async (keyId: string, options: { refresh: boolean }): Promise<Signer | null> => {
      const host = URL.parse(keyId)?.host
      if (host && !(await isDomainAllowed(ctx, host))) throw new Forbidden('This server does not speak with yours')
      if (mustSign(ctx)) return (await findKey(ctx, keyId, options)) ?? serverOf(ctx, keyId, options)
      if (host && (await asks(host))) return findKey(ctx, keyId, options)
      const known = options.refresh ? null : await findKnownKey(ctx, keyId)
      if (!known) throw unasked
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
    if (error === unasked) return null
    throw error
  }
}

async function serverOf(ctx: Context, keyId: string, options: { refresh: boolean }): Promise<Signer | null> {
  const publicKeyPem = await findNamelessKey(ctx, keyId, options)
  return publicKeyPem === null ? null : { publicKeyPem, isFresh: options.refresh, accountId: null, suspended: false }
}

/** Under which names we may be addressed. The default port is not part of a name. */
export function hostsOf(ctx: Context): string[] {
  const { webDomain, localDomain, https } = ctx.config
  const names = [webDomain, localDomain].map((domain) => domain.toLowerCase())
  return [...new Set(https ? names : [...names, ...names.map((name) => name.replace(/:80$/, ''))])]
}
