import type { Context } from '../../../context.ts'
import { plainHttpUrl } from '../../../lib/http-url.ts'
import { hasStorableYear, parseInstant } from '../../../lib/dates.ts'
import { escapeHtml, readAttributes } from '../../../lib/html.ts'
import { FetchError } from '../../../net/fetch-error.ts'
import type { FetchAnswer } from '../../../net/fetch-rules.ts'
import { isLocalDomain } from '../../server/addresses.ts'
import { languageOf } from '../../server/languages.ts'
import { type WebPage, decodePage, lineOf, readPage } from './page.ts'
import { readStructuredData } from './structured-data.ts'

export type CardDetails = {
  url: string
  type: 'link' | 'photo' | 'video'
  title: string
  description: string
  language: string | null
  author_name: string
  author_url: string
  provider_name: string
  provider_url: string
  html: string
  width: number
  height: number
  embed_url: string
  image_url: string | null
  image_description: string
  published_at: Date | null
  /** The handle in `fediverse:creator`. */
  creator: string | null
}

const MAX_LENGTH = { title: 400, description: 1000, name: 200, url: 2048, image_description: 1500 }
const MAX_SIDE = 10_000

/** Reads JSON-LD, OpenGraph, Twitter and HTML metadata. `address`: the URL of the page after redirects. */
function detailsOf(page: WebPage, address: string): CardDetails {
  const base = URL.parse(page.base ?? '', address)?.href ?? address
  const valueOf = (...names: string[]): string => names.map((name) => page.meta.get(name)).find(Boolean) ?? ''
  const data = readStructuredData(page.scripts)
  const player = secureUrl(valueOf('twitter:player'), base)
  const width = sideOf(valueOf('twitter:player:width', 'og:video:width'))
  const height = sideOf(valueOf('twitter:player:height', 'og:video:height'))
  return {
    url: canonicalUrl(page.canonical ?? valueOf('og:url'), base, address),
    type: player ? 'video' : 'link',
    title: cut(data.headline || valueOf('og:title', 'twitter:title') || page.title, MAX_LENGTH.title),
    description: cut(
      data.description || valueOf('og:description', 'description', 'twitter:description'),
      MAX_LENGTH.description,
    ),
    language:
      languageOf(data.language) ?? languageOf((page.language ?? valueOf('content-language')) || valueOf('og:locale')),
    author_name: cut(
      data.authorName || valueOf('og:author', 'og:author:username', 'article:author:name', 'author'),
      MAX_LENGTH.name,
    ),
    author_url: webUrl(data.authorUrl || valueOf('article:author', 'author:url'), base) ?? '',
    provider_name: cut(data.publisherName || valueOf('og:site_name', 'application-name'), MAX_LENGTH.name),
    provider_url: '',
    html: player ? frameOf(player, width, height) : '',
    width: player ? width : 0,
    height: player ? height : 0,
    embed_url: '',
    image_url: webUrl(
      valueOf('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src') || data.image,
      base,
    ),
    image_description: cut(valueOf('og:image:alt', 'twitter:image:alt'), MAX_LENGTH.image_description),
    published_at:
      dateOf(data.publishedAt) ?? dateOf(valueOf('article:published_time', 'og:article:published_time', 'date')),
    creator: valueOf('fediverse:creator') || null,
  }
}

/** Null for `rich` documents, which are mostly scripts, and for photos and videos without a source. */
function detailsOfOembed(document: unknown, details: CardDetails, endpoint: string): CardDetails | null {
  if (typeof document !== 'object' || document === null) return null
  const valueOf = (name: string): string => {
    const value = (document as Record<string, unknown>)[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const more: CardDetails = {
    ...details,
    title: cut(valueOf('title'), MAX_LENGTH.title) || details.title,
    author_name: cut(valueOf('author_name'), MAX_LENGTH.name) || details.author_name,
    author_url: webUrl(valueOf('author_url'), endpoint) ?? details.author_url,
    provider_name: cut(valueOf('provider_name'), MAX_LENGTH.name) || details.provider_name,
    provider_url: webUrl(valueOf('provider_url'), endpoint) ?? details.provider_url,
    image_url: details.image_url ?? webUrl(valueOf('thumbnail_url'), endpoint),
  }
  const size = { width: sideOf(valueOf('width')), height: sideOf(valueOf('height')) }
  if (valueOf('type') === 'link') return more
  if (valueOf('type') === 'photo') {
    const photo = webUrl(valueOf('url'), endpoint)
    return photo === null ? null : { ...more, ...size, type: 'photo', embed_url: photo, image_url: photo, html: '' }
  }
  if (valueOf('type') !== 'video') return null
  const frame = frameWithin(valueOf('html'), endpoint)
  if (!frame) return null
  const { width, height } = { width: size.width || frame.width, height: size.height || frame.height }
  return { ...more, width, height, type: 'video', html: frameOf(frame.src, width, height) }
}

/** Drops the rest of the provider's markup. */
function frameWithin(html: string, base: string): { src: string; width: number; height: number } | null {
  const text = /<iframe\s([^<>]*)>/i.exec(html.slice(0, 20_000))?.[1]
  if (text === undefined) return null
  const attributes = readAttributes(text)
  const value = (name: string): string => attributes.get(name) ?? ''
  const src = secureUrl(value('src'), base)
  return src === null ? null : { src, width: sideOf(value('width')), height: sideOf(value('height')) }
}

/** Makes a new, sandboxed iframe: the provider's own attributes are not trusted. */
function frameOf(src: string, width: number, height: number): string {
  const size = width > 0 && height > 0 ? ` width="${width}" height="${height}"` : ''
  return `<iframe src="${escapeHtml(src)}"${size} allowfullscreen="true" frameborder="0" scrolling="no" sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms"></iframe>`
}

/** The canonical address of a page when it is on the same host; otherwise `address`, or empty when that is too long. */
function canonicalUrl(named: string, base: string, address: string): string {
  // Some templates print a missing address so.
  const url = named === 'null' || named === 'undefined' ? null : webUrl(named, base)
  if (url !== null && new URL(url).host === new URL(address).host) return url
  return address.length <= MAX_LENGTH.url ? address : ''
}

function webUrl(text: string, base: string): string | null {
  const url = text === '' ? null : plainHttpUrl(text, base)
  return url && url.href.length <= MAX_LENGTH.url ? url.href : null
}

function secureUrl(text: string, base: string): string | null {
  const url = webUrl(text, base)
  return url?.startsWith('https:') ? url : null
}

function sideOf(text: string): number {
  const side = Math.round(Number.parseFloat(text))
  return side > 0 && side <= MAX_SIDE ? side : 0
}

/** At the end of a date in words or digits: a zone, such as `GMT` or `-0500`. */
const ZONE = /(?:(?<![a-z])(?!am|pm)[a-z]+|[+-]\d\d:?\d\d)\)?$/i

/** In UTC unless it names a zone, whatever that of this machine is. */
function dateOf(text: string): Date | null {
  const date = parseInstant(text) ?? new Date(ZONE.test(text) ? text : `${text} UTC`)
  return hasStorableYear(date) ? date : null
}

const cut = (text: string, length: number): string => {
  const line = lineOf(text)
  return line.length <= length ? line : `${[...line].slice(0, length - 1).join('')}…`
}

const MAX_PAGE_BYTES = 4 * 1024 * 1024
const MAX_OEMBED_BYTES = 256 * 1024

/** Null when the page has nothing to show. Throws FetchError; `isTemporary` says whether a retry may succeed. */
export async function fetchDetails(ctx: Context, link: string): Promise<CardDetails | null> {
  const answer = await request(ctx, link)
  if (answer.status < 200 || answer.status > 299)
    throw new FetchError('status', `${new URL(answer.url).host} answered ${answer.status}`, { status: answer.status })
  const page = readPage(decodePage(answer.body, answer.headers['content-type']))
  const plain = detailsOf(page, answer.url)
  const endpoint = page.oembed === null ? null : URL.parse(page.oembed, answer.url)
  const details = (endpoint && (await readOembed(ctx, endpoint.href, plain))) ?? plain
  const shown = withoutLocalFrame(ctx, details)
  return shown.title === '' && shown.html === '' && shown.type !== 'photo' ? null : shown
}

/** Retries over https where plain http is not allowed: most servers offer the same page there. */
async function request(ctx: Context, link: string): Promise<FetchAnswer & { body: Buffer }> {
  const options = { expect: 'html', maxBytes: MAX_PAGE_BYTES, extra: true } as const
  const secure = link.replace(/^http:/i, 'https:')
  try {
    return await ctx.fetch.request(link, options)
  } catch (error) {
    if (!(error instanceof FetchError) || error.reason !== 'scheme' || secure === link) throw error
    return ctx.fetch.request(secure, options)
  }
}

/** Null when the request fails: the page's own metadata are enough. */
async function readOembed(ctx: Context, endpoint: string, details: CardDetails): Promise<CardDetails | null> {
  try {
    const { json } = await ctx.fetch.json(endpoint, { expect: 'json', maxBytes: MAX_OEMBED_BYTES, extra: true })
    return detailsOfOembed(json, details, endpoint)
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    return null
  }
}

/** Drops an iframe of this server: its pages could act with the viewer's session. */
function withoutLocalFrame(ctx: Context, details: CardDetails): CardDetails {
  const src = /^<iframe src="([^"]+)"/.exec(details.html)?.[1]
  const isLocal = src !== undefined && isLocalDomain(ctx, new URL(src).host)
  return isLocal ? { ...details, type: 'link', html: '', width: 0, height: 0 } : details
}
