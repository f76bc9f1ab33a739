import type { Context } from '../../context.ts'
import { isId } from '../../lib/ids.ts'

/**
 * Addresses of local accounts and objects. They never change, since other servers store them. `uri` is an ActivityPub id,
 * `url` a page for people.
 */
export const accountUri = (ctx: Context, username: string): string => `${ctx.config.baseUrl}/users/${username}`
export const accountUrl = (ctx: Context, username: string): string => `${ctx.config.baseUrl}/@${username}`
export const statusUri = (ctx: Context, username: string, id: string): string =>
  `${ctx.config.baseUrl}/users/${username}/statuses/${id}`
export const statusUrl = (ctx: Context, username: string, id: string): string =>
  `${ctx.config.baseUrl}/@${username}/${id}`
export const tagUrl = (ctx: Context, name: string): string => `${ctx.config.baseUrl}/tags/${encodeURIComponent(name)}`
/** `acct` is `user`, or `user@host` for remote accounts. */
export const taggedUrl = (ctx: Context, acct: string, tag: string): string =>
  `${accountUrl(ctx, acct)}/tagged/${encodeURIComponent(tag)}`
export const collectionUri = (ctx: Context, username: string, id: string): string =>
  `${accountUri(ctx, username)}/collections/${id}`
export const collectionUrl = (ctx: Context, id: string): string => `${ctx.config.baseUrl}/collections/${id}`
/** `user@domain`, for local accounts too: for readers elsewhere. */
export const fullHandle = (ctx: Context, { username, domain }: { username: string; domain: string | null }): string =>
  `${username}@${domain ?? ctx.config.localDomain}`

export const assetUrl = (ctx: Context, file: string): string => `${ctx.config.baseUrl}/assets/${file}`
/** The images of accounts without their own: apps recognise these by the name of the file. */
export const STANDARD_IMAGES = { avatar: '/avatars/original/missing.png', header: '/headers/original/missing.png' }
export const standardImageUrl = (ctx: Context, which: keyof typeof STANDARD_IMAGES): string =>
  ctx.config.baseUrl + STANDARD_IMAGES[which]
export const conversationUri = (ctx: Context, id: string): string => `${ctx.config.baseUrl}/contexts/${id}`
export function parseConversationUri(ctx: Context, uri: string): string | null {
  const prefix = conversationUri(ctx, '')
  const id = uri.startsWith(prefix) ? uri.slice(prefix.length) : ''
  return isId(id) ? id : null
}
/** The id of the Announce activity of a boost. */
export const reblogUri = (ctx: Context, username: string, id: string): string =>
  `${statusUri(ctx, username, id)}/activity`

export const withoutPort = (domain: string): string => domain.replace(/:\d+$/, '')
/** The preferredUsername of the instance actor: the bare domain, as on Mastodon. GoToSocial cannot parse a name with a port. */
export const instanceActorName = (ctx: Context): string => withoutPort(ctx.config.localDomain)

/** In lower case. */
export const localDomains = ({ config }: Context): string[] => [
  config.localDomain,
  config.webDomain,
  ...config.alternateDomains,
]

/** Ignores case. */
export const isLocalDomain = (ctx: Context, domain: string): boolean => localDomains(ctx).includes(domain.toLowerCase())

/** Null for addresses of other servers, and for text that is not an address. */
function localUrl(ctx: Context, address: string): URL | null {
  const url = URL.parse(address)
  return url && (url.origin === ctx.config.baseUrl || isLocalDomain(ctx, url.host)) ? url : null
}

export function parseCollectionUrl(ctx: Context, address: string): string | null {
  const match = /^(?:\/users\/[^/]+)?\/collections\/(\d+)\/?$/.exec(localUrl(ctx, address)?.pathname ?? '')
  return match?.[1] !== undefined && isId(match[1]) ? match[1] : null
}

export function parseLocalUrl(ctx: Context, address: string): { username: string; statusId: string | null } | null {
  const url = localUrl(ctx, address)
  if (!url) return null
  const match = /^\/(?:users\/([^/@]+)(?:\/statuses\/(\d+)(?:\/activity)?)?|@([^/@]+)(?:\/(\d+))?)\/?$/.exec(
    url.pathname.replace(/^\/%40/, '/@'),
  )
  if (!match) return null
  return { username: (match[1] ?? match[3]) as string, statusId: match[2] ?? match[4] ?? null }
}
