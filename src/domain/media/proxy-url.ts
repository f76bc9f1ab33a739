import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../context.ts'
import { loadedSecrets } from '../instance/secrets.ts'

export type ProxiedSize = 'original' | 'small'

/**
 * Where a remote medium is fetched through us. Ids can be guessed from the time; the signature cannot, so only those can fetch
 * who were given the address, because they may see the status.
 */
export const proxyUrl = (ctx: Context, id: string, size: ProxiedSize): string =>
  `${ctx.config.baseUrl}/media_proxy/${id}/${size}?sig=${signatureOf(ctx, id)}`

/** Whether an address came from `proxyUrl`. */
export function isProxySignature(ctx: Context, id: string, signature: string): boolean {
  const expected = Buffer.from(signatureOf(ctx, id))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const signatureOf = (ctx: Context, id: string): string =>
  createHmac('sha256', loadedSecrets(ctx).cookieKey).update(`media_proxy:${id}`).digest('base64url')
