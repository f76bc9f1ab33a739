// A link needs a scheme: `example.com` stays text.

import { LinkifyIt } from 'linkify-it'
import { trimEnd } from './linear-time.ts'

/** As typed: `text.slice(start, end) === url`. */
export type UrlEntity = { kind: 'url'; start: number; end: number; url: string }

const OPTIONS = { fuzzyLink: false, fuzzyEmail: false, maxLength: 5000 }
const linkify = new LinkifyIt({ ...OPTIONS, urlAuth: false })
const linkifyWithUser = new LinkifyIt({ ...OPTIONS, urlAuth: true })
// linkify-it takes all before an `@` for the user, also the host and a part of the query:
// `https://example.com?to=me@example.com`.
const USER = /\/\/[^\s/?#@]{1,50}@/y

// A link may follow letters of other scripts and punctuation ("これhttps://…", "(https://…"), but not ASCII words
// ("xhttps://"), handles or composed schemes ("git+https://").
const STARTS = /(?<![A-Za-z0-9_@＠$#＃+])(https?|dat|dweb|ipfs|ipns|ssb|gopher|gemini|xmpp|magnet):/giu

const PATH = linkify.re.get_path().source
const AUTHORITY = String.raw`[\w~%-]+(?:[.:@][\w~%-]+)*`
const OTHER: Record<string, RegExp> = {
  xmpp: new RegExp(`${AUTHORITY}${PATH}`, 'iy'),
  magnet: new RegExp(String.raw`(?=\?)${PATH}`, 'iy'),
}
const SLASHED = new RegExp(`//${AUTHORITY}${PATH}`, 'iy')
// linkify-it refuses underscores in host names; some older blog hosts have them.
const UNDERSCORED_HOST = new RegExp(
  String.raw`//(?=[\w.-]*_)\w(?:[\w-]*\w)?(?:\.\w(?:[\w-]*\w)?)+(?::\d{1,5})?${PATH}`,
  'iy',
)
// Punctuation that ends a sentence rather than a link, and half a surrogate pair where a long link is cut.
const NOT_AT_END = /[:*@%&|\\\uD800-\uDBFF]/

/** In order, not overlapping. Linear in the length of the text. */
export function findUrls(text: string): UrlEntity[] {
  const found: UrlEntity[] = []
  let done = 0
  for (const match of text.matchAll(STARTS)) {
    if (match.index < done) continue
    const scheme = (match[1] ?? '').toLowerCase()
    const isWeb = scheme === 'http' || scheme === 'https'
    const position = match.index + match[0].length
    const rest = isWeb ? webRest(text, position) : otherRest(text, scheme, position)
    const url = match[0] + trimEnd(rest, NOT_AT_END)
    if (rest === '' || (isWeb && !hasPublicHost(url))) continue
    done = match.index + url.length
    found.push({ kind: 'url', start: match.index, end: done, url })
  }
  return found
}

function webRest(text: string, position: number): string {
  USER.lastIndex = position
  const length = (USER.test(text) ? linkifyWithUser : linkify).testSchemaAt(text, 'http:', position)
  return length > 0 ? text.slice(position, position + length) : matchAt(UNDERSCORED_HOST, text, position)
}

function otherRest(text: string, scheme: string, position: number): string {
  return matchAt(OTHER[scheme] ?? SLASHED, text, position)
}

function matchAt(pattern: RegExp, text: string, position: number): string {
  pattern.lastIndex = position
  return pattern.exec(text)?.[0] ?? ''
}

// A host of a single label is not public: the URL is probably broken by a line end.
function hasPublicHost(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? ''
  return host.includes('.') || host.startsWith('[') || host === 'localhost'
}
