// Formats named in the address, as clients and feed readers of this API know them: `/@ada.json`, `/api/v1/instance.json`.
import type { IncomingMessage } from 'node:http'
import { activityContentType } from '../net/content-types.ts'

/** Under /api all answers are JSON. The description of the API is a file of that name. */
const API = /^(\/api\/(?!openapi\.json)[^?]{1,2000})\.json(?=\?|$)/
/** Pages, actors, posts and collections that have an ActivityPub document. */
const DOCUMENT = /^(\/(?:@[^/?]{1,300}(?:\/\d{1,20})?|users\/[^?]{1,2000}|tags\/[^/?]{1,2000}))\.json(?=\?|$)/
const FEED = /^\/users\/([^/?]{1,300}\.rss)(?=\?|$)/

/** The address that a request means. One that ends in `.json` asks for the ActivityPub document of a page. */
export function withoutFormat({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  if (url.startsWith('/api/')) return url.replace(API, '$1')
  const plain = url.replace(DOCUMENT, '$1')
  if (plain === url) return url.replace(FEED, '/@$1')
  headers.accept = activityContentType
  return plain
}
