import type { Context } from '../../context.ts'
import { isId } from '../../lib/ids.ts'

/**
 * Addresses of what lives on this server, in one place. Actors and objects keep these for ever: other servers know them.
 * `uri` is an ActivityPub id, `url` a page for people.
 */
export const accountUri = (ctx: Context, username: string): string => `${ctx.config.baseUrl}/users/${username}`
export const accountUrl = (ctx: Context, username: string): string => `${ctx.config.baseUrl}/@${username}`
export const statusUri = (ctx: Context, username: string, id: string): string =>
  `${ctx.config.baseUrl}/users/${username}/statuses/${id}`
export const statusUrl = (ctx: Context, username: string, id: string): string =>
  `${ctx.config.baseUrl}/@${username}/${id}`
export const tagUrl = (ctx: Context, name: string): string => `${ctx.config.baseUrl}/tags/${encodeURIComponent(name)}`
/** The page of what somebody posted with a hashtag; `acct` is `user`, or `user@host` of others. */
export const taggedUrl = (ctx: Context, acct: string, tag: string): string =>
  `${accountUrl(ctx, acct)}/tagged/${encodeURIComponent(tag)}`
export const collectionUri = (ctx: Context, username: string, id: string): string =>
  `${accountUri(ctx, username)}/collections/${id}`
export const collectionUrl = (ctx: Context, id: string): string => `${ctx.config.baseUrl}/collections/${id}`
export const assetUrl = (ctx: Context, file: string): string => `${ctx.config.baseUrl}/assets/${file}`
/** A thread that began here. */
export const conversationUri = (ctx: Context, id: string): string => `${ctx.config.baseUrl}/contexts/${id}`
/** The thread of this server that an address names, by its id, or null. */
export function parseConversationUri(ctx: Context, uri: string): string | null {
  const prefix = conversationUri(ctx, '')
  const id = uri.startsWith(prefix) ? uri.slice(prefix.length) : ''
  return isId(id) ? id : null
}
/** The activity by which a boost is known. */
export const boostUri = (ctx: Context, username: string, id: string): string =>
  `${statusUri(ctx, username, id)}/activity`

/** A domain without its port. */
export const withoutPort = (domain: string): string => domain.replace(/:\d+$/, '')
/** The preferredUsername of the instance actor: the bare domain, as on Mastodon. GoToSocial cannot parse a name with a port. */
export const instanceActorName = (ctx: Context): string => withoutPort(ctx.config.localDomain)

/** The domain of a handle if it is this server's own, local or web domain, in any case. */
export function isOurDomain(ctx: Context, domain: string): boolean {
  const folded = domain.toLowerCase()
  return folded === ctx.config.localDomain || folded === ctx.config.webDomain
}

/** An address of this server as a URL; null for addresses of other servers, and for text that is no address. */
function ownUrl(ctx: Context, address: string): URL | null {
  const url = URL.parse(address)
  return url && (url.origin === ctx.config.baseUrl || isOurDomain(ctx, url.host)) ? url : null
}

/** The id in the address of a collection of this server, be it the page or the ActivityPub id; null for any other address. */
export function parseCollectionUrl(ctx: Context, address: string): string | null {
  const match = /^(?:\/users\/[^/]+)?\/collections\/(\d+)\/?$/.exec(ownUrl(ctx, address)?.pathname ?? '')
  return match?.[1] !== undefined && isId(match[1]) ? match[1] : null
}

/** What an address of ours names, if it is one. Other servers' addresses give null. */
export function parseOurUrl(ctx: Context, address: string): { username: string; statusId: string | null } | null {
  const url = ownUrl(ctx, address)
  if (!url) return null
  const match = /^\/(?:users\/([^/@]+)(?:\/statuses\/(\d+)(?:\/activity)?)?|@([^/@]+)(?:\/(\d+))?)\/?$/.exec(
    url.pathname,
  )
  if (!match) return null
  return { username: (match[1] ?? match[3]) as string, statusId: match[2] ?? match[4] ?? null }
}
