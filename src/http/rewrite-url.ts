import type { IncomingMessage } from 'node:http'
import { activityContentType } from '../net/content-types.ts'

/** Each form that `rewriteUrl` changes matches one of these. Most URLs match none. */
const REWRITTEN = /^[^/]|^\/%40|\/\/|\.json|\.rss/

/** The path that the routes know. */
export const rewriteUrl = ({ url = '/', headers }: IncomingMessage): string =>
  REWRITTEN.test(url) ? withoutFormat(withPlainAt(withoutEmptySegments(withoutOrigin(url))), headers) : url

/** Servers accept a whole address as the target of a request (RFC 9112, 3.2.2). */
const withoutOrigin = (url: string): string => (url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*\/?/i, '/'))

/** mastodon.el asks for `/api/v1//accounts/1/featured_tags`, which Mastodon answers. */
function withoutEmptySegments(url: string): string {
  const [path = '', ...query] = url.split('?')
  return path.includes('//') ? [path.replaceAll(/\/{2,}/g, '/'), ...query].join('?') : url
}

/** Mail programs, shorteners and other software encode the `@` with which the addresses of profiles and posts begin. */
const withPlainAt = (url: string): string => (url.startsWith('/%40') ? `/@${url.slice(4)}` : url)

/** Paths that answer with JSON anyway. The OpenAPI document and host-meta have an address of their own with the suffix. */
const JSON_ONLY =
  /^(\/(?:api\/(?!openapi\.json)|\.well-known\/(?!host-meta\.json)|nodeinfo\/)[^?]{1,2000})\.json(?=\?|$)/
const DOCUMENT = /^(\/(?:@[^/?]{1,300}(?:\/\d{1,20})?|users\/[^?]{1,2000}|tags\/[^/?]{1,2000}|actor))\.json(?=\?|$)/
const FEED = /^\/users\/([^/?]{1,300}\.rss)(?=\?|$)/

/** The path without a format suffix, such as `/@ada.json` or `/api/v1/instance.json`. On pages, `.json` asks for ActivityPub. */
function withoutFormat(url: string, headers: IncomingMessage['headers']): string {
  const same = url.replace(JSON_ONLY, '$1')
  if (same !== url) return same
  const plain = url.replace(DOCUMENT, '$1')
  if (plain === url) return url.replace(FEED, '/@$1')
  headers.accept = activityContentType
  return plain
}
