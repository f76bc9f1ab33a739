import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../context.ts'
import { loadedSecrets } from '../server/secrets.ts'

export type ProxiedSize = 'original' | 'small'
export type EmojiVariant = 'original' | 'static'

/**
 * Where a remote medium is fetched through us. Ids can be guessed from the time; the signature cannot, so only those can fetch
 * who were given the address, because they may see the status.
 */
export const proxyUrl = (ctx: Context, id: string, size: ProxiedSize): string =>
  `${ctx.config.baseUrl}/media_proxy/${id}/${size}?sig=${signatureOf(ctx, mediumName(id))}`

/** Where a custom emoji of another server is fetched through us: only what came along with a post or a profile. */
export const emojiProxyUrl = (ctx: Context, url: string, variant: EmojiVariant): string =>
  `${ctx.config.baseUrl}/media_proxy/emojis/${variant}?${new URLSearchParams({ url, sig: signatureOf(ctx, emojiName(url)) })}`

export const mediumName = (id: string): string => `media_proxy:${id}`
export const emojiName = (url: string): string => `emoji_proxy:${url}`

/** Whether an address that names this came from here. */
export function isProxySignature(ctx: Context, name: string, signature: string): boolean {
  const expected = Buffer.from(signatureOf(ctx, name))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const signatureOf = (ctx: Context, name: string): string =>
  createHmac('sha256', loadedSecrets(ctx).cookieKey).update(name).digest('base64url')
