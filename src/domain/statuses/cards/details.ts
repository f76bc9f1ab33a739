import { isLocalDomain } from '../../server/addresses.ts'
import type { Context } from '../../../context.ts'
import { languageOf } from '../../server/languages.ts'
import { type Page, decodePage, lineOf, readPage } from './page.ts'
import { readAttributes } from '../../../lib/html-attributes.ts'
import { escapeHtml } from '../../../lib/html.ts'
import { FetchError } from '../../../net/fetch-error.ts'
import type { FetchAnswer } from '../../../net/fetch-rules.ts'

/** What a preview shows, but for what takes more than the page itself: image files and accounts. */
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
  /** `user@host` of whom the page names as its author on the network. */
  creator: string | null
}

const LONGEST = { title: 400, description: 1000, name: 200, url: 2048, image_description: 1500 }
const LARGEST_SIDE = 10_000

/** The preview of a page by what it says of itself: OpenGraph, Twitter's names, plain HTML. `address` is where it was found. */
function detailsOf(page: Page, address: string): CardDetails {
  const base = URL.parse(page.base ?? '', address)?.href ?? address
  const said = (...names: string[]): string => names.map((name) => page.meta.get(name)).find(Boolean) ?? ''
  const player = secureUrl(said('twitter:player'), base)
  const width = sideOf(said('twitter:player:width', 'og:video:width'))
  const height = sideOf(said('twitter:player:height', 'og:video:height'))
  return {
    url: ownUrl(page.canonical ?? said('og:url'), base, address),
    type: player ? 'video' : 'link',
    title: cut(said('og:title', 'twitter:title') || page.title, LONGEST.title),
    description: cut(said('og:description', 'description', 'twitter:description'), LONGEST.description),
    language: languageOf((page.language ?? said('content-language')) || said('og:locale')),
    author_name: cut(said('og:author', 'og:author:username', 'article:author:name', 'author'), LONGEST.name),
    author_url: webUrl(said('article:author', 'author:url'), base) ?? '',
    provider_name: cut(said('og:site_name', 'application-name'), LONGEST.name),
    provider_url: '',
    html: player ? frameOf(player, width, height) : '',
    width: player ? width : 0,
    height: player ? height : 0,
    embed_url: '',
    image_url: webUrl(
      said('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'),
      base,
    ),
    image_description: cut(said('og:image:alt', 'twitter:image:alt'), LONGEST.image_description),
    published_at: dateOf(said('article:published_time', 'og:article:published_time', 'date')),
    creator: said('fediverse:creator') || null,
  }
}

/**
 * What the oEmbed document of a page adds. Null where it is of no use: `rich` ones are mostly scripts, and a photo or a video needs
 * something to show.
 */
function detailsOfOembed(document: unknown, details: CardDetails, endpoint: string): CardDetails | null {
  if (typeof document !== 'object' || document === null) return null
  const said = (name: string): string => {
    const value = (document as Record<string, unknown>)[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const more: CardDetails = {
    ...details,
    title: cut(said('title'), LONGEST.title) || details.title,
    author_name: cut(said('author_name'), LONGEST.name) || details.author_name,
    author_url: webUrl(said('author_url'), endpoint) ?? details.author_url,
    provider_name: cut(said('provider_name'), LONGEST.name) || details.provider_name,
    provider_url: webUrl(said('provider_url'), endpoint) ?? details.provider_url,
    image_url: details.image_url ?? webUrl(said('thumbnail_url'), endpoint),
  }
  const size = { width: sideOf(said('width')), height: sideOf(said('height')) }
  if (said('type') === 'link') return more
  if (said('type') === 'photo') {
    const photo = webUrl(said('url'), endpoint)
    return photo === null ? null : { ...more, ...size, type: 'photo', embed_url: photo, image_url: photo, html: '' }
  }
  if (said('type') !== 'video') return null
  const frame = frameWithin(said('html'), endpoint)
  if (!frame) return null
  const { width, height } = { width: size.width || frame.width, height: size.height || frame.height }
  return { ...more, width, height, type: 'video', html: frameOf(frame.src, width, height) }
}

/** The one frame of what a provider wants to have embedded: its address, and nothing else of its markup. */
function frameWithin(html: string, base: string): { src: string; width: number; height: number } | null {
  const text = /<iframe\s([^<>]*)>/i.exec(html.slice(0, 20_000))?.[1]
  if (text === undefined) return null
  const attributes = readAttributes(text)
  const value = (name: string): string => attributes.get(name) ?? ''
  const src = secureUrl(value('src'), base)
  return src === null ? null : { src, width: sideOf(value('width')), height: sideOf(value('height')) }
}

/** Made by ourselves: whatever it shows is kept to itself. */
function frameOf(src: string, width: number, height: number): string {
  const size = width > 0 && height > 0 ? ` width="${width}" height="${height}"` : ''
  return `<iframe src="${escapeHtml(src)}"${size} allowfullscreen="true" frameborder="0" scrolling="no" sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms"></iframe>`
}

/** What the page calls its own address, as long as that is on its server. Empty where there is none of use. */
function ownUrl(said: string, base: string, address: string): string {
  const url = webUrl(said, base)
  if (url !== null && new URL(url).host === new URL(address).host) return url
  return address.length <= LONGEST.url ? address : ''
}

function webUrl(text: string, base: string): string | null {
  const url = text === '' ? null : URL.parse(text, base)
  const isWeb =
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.password === ''
  return isWeb && url.href.length <= LONGEST.url ? url.href : null
}

function secureUrl(text: string, base: string): string | null {
  const url = webUrl(text, base)
  return url?.startsWith('https:') ? url : null
}

function sideOf(text: string): number {
  const side = Math.round(Number.parseFloat(text))
  return side > 0 && side <= LARGEST_SIDE ? side : 0
}

function dateOf(text: string): Date | null {
  const date = new Date(text)
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999 ? date : null
}

const cut = (text: string, length: number): string => {
  const line = lineOf(text)
  return line.length <= length ? line : `${[...line].slice(0, length - 1).join('')}…`
}

const LARGEST_PAGE = 4 * 1024 * 1024
const LARGEST_OEMBED = 256 * 1024

/**
 * Reads the page behind a link. Null when there is nothing to show of it. Throws FetchError when it cannot be read, of which
 * some may be tried again (see isTemporary).
 */
export async function fetchDetails(ctx: Context, link: string): Promise<CardDetails | null> {
  const answer = await request(ctx, link)
  if (answer.status < 200 || answer.status > 299)
    throw new FetchError('status', `${new URL(answer.url).host} answered ${answer.status}`, { status: answer.status })
  const page = readPage(decodePage(answer.body, answer.headers['content-type']))
  const plain = detailsOf(page, answer.url)
  const endpoint = page.oembed === null ? null : URL.parse(page.oembed, answer.url)
  const details = (endpoint && (await readOembed(ctx, endpoint.href, plain))) ?? plain
  const shown = withoutOurs(ctx, details)
  return shown.title === '' && shown.html === '' && shown.type !== 'photo' ? null : shown
}

/** Plain http is only read where it may be; most servers have the same page to tell over https. */
async function request(ctx: Context, link: string): Promise<FetchAnswer & { body: Buffer }> {
  const options = { expect: 'html', maxBytes: LARGEST_PAGE, extra: true } as const
  const secure = link.replace(/^http:/i, 'https:')
  try {
    return await ctx.fetch.request(link, options)
  } catch (error) {
    if (!(error instanceof FetchError) || error.reason !== 'scheme' || secure === link) throw error
    return ctx.fetch.request(secure, options)
  }
}

/** What the page's oEmbed provider says. Null where it says nothing of use: the page itself is enough. */
async function readOembed(ctx: Context, endpoint: string, details: CardDetails): Promise<CardDetails | null> {
  try {
    const { json } = await ctx.fetch.json(endpoint, { expect: 'json', maxBytes: LARGEST_OEMBED, extra: true })
    return detailsOfOembed(json, details, endpoint)
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    return null
  }
}

/** Our own pages in a frame could do what the reader may. */
function withoutOurs(ctx: Context, details: CardDetails): CardDetails {
  const src = /^<iframe src="([^"]+)"/.exec(details.html)?.[1]
  const isOurs = src !== undefined && isLocalDomain(ctx, new URL(src).host)
  return isOurs ? { ...details, type: 'link', html: '', width: 0, height: 0 } : details
}
