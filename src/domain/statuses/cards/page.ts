import { isUtf8 } from 'node:buffer'
import type * as htmlparser2 from 'htmlparser2'
import { endOfTags } from '../../../lib/html.ts'
import { lazyRequire } from '../../../lib/lazy-require.ts'
import { isActivityContentType } from '../../../net/content-types.ts'

/** Addresses are as written, possibly relative. */
export type WebPage = {
  /** The first of each name, in lower case: `og:title`, `twitter:card`, `description` … */
  meta: ReadonlyMap<string, string>
  title: string
  language: string | null
  canonical: string | null
  oembed: string | null
  /** The address of the page as an ActivityPub document. */
  activity: string | null
  base: string | null
  /** JSON-LD */
  scripts: readonly string[]
}

const parsers = lazyRequire<typeof htmlparser2>('htmlparser2')

const MAX_TAGS = 8000
const MAX_TITLE = 2000
/** A longer script is cut, and so invalid. */
const MAX_SCRIPT = 256 * 1024

/** Tolerates invalid HTML as browsers do. */
export function readPage(html: string): WebPage {
  const meta = new Map<string, string>()
  const page = {
    title: '',
    language: null as string | null,
    canonical: null as string | null,
    oembed: null as string | null,
    activity: null as string | null,
    base: null as string | null,
  }
  const scripts: string[] = []
  let inTitle = false
  let script: string | null = null
  let inSvg = 0
  const parser = new (parsers().Parser)(
    {
      onopentag(name, attributes) {
        if (name === 'svg') inSvg++
        if (name === 'html') page.language ??= attributes['lang']?.trim() || null
        if (name === 'title') inTitle = page.title === '' && inSvg === 0
        if (name === 'base') page.base ??= attributes['href'] ?? null
        if (name === 'link') readLink(page, attributes)
        if (name === 'meta') readMeta(meta, attributes)
        if (name === 'script') script = /^application\/ld\+json\b/i.test(attributes['type']?.trim() ?? '') ? '' : null
      },
      ontext(text) {
        if (script !== null && script.length < MAX_SCRIPT) script += text
        if (inTitle && page.title.length < MAX_TITLE) page.title += text
      },
      onclosetag(name) {
        if (name === 'title') inTitle = false
        if (name === 'script') {
          if (script !== null) scripts.push(script)
          script = null
        }
        if (name === 'svg') inSvg--
      },
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  )
  parser.write(html.slice(0, endOfTags(html, MAX_TAGS)))
  return { meta, ...page, scripts, title: lineOf(page.title) }
}

function readLink(
  page: { canonical: string | null; oembed: string | null; activity: string | null },
  { rel = '', type = '', href }: Record<string, string>,
): void {
  const relations = rel.toLowerCase().split(/\s+/)
  if (!href) return
  if (relations.includes('canonical')) page.canonical ??= href.trim()
  if (!relations.includes('alternate')) return
  if (/^application\/json\+oembed\b/i.test(type.trim())) page.oembed ??= href.trim()
  if (isActivityContentType(type)) page.activity ??= href.trim()
}

function readMeta(meta: Map<string, string>, attributes: Record<string, string>): void {
  const name = (attributes['property'] ?? attributes['name'] ?? attributes['http-equiv'] ?? '').trim().toLowerCase()
  const content = attributes['content']?.trim()
  if (name !== '' && content && !meta.has(name) && meta.size < 500) meta.set(name, content)
}

/** Text in which entities are written as in HTML, although it is none. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  let decoded = ''
  const parser = new (parsers().Parser)({ ontext: (part) => void (decoded += part) }, { decodeEntities: true })
  parser.end(text.replaceAll('<', '&lt;'))
  return decoded
}

export const lineOf = (text: string): string => text.replace(/[\s\0]+/g, ' ').trim()

/** Tries the charset that the server, the bytes or the HTML declare; otherwise UTF-8, then Windows-1252. */
export function decodePage(bytes: Buffer, contentType: string | undefined): string {
  const named = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType ?? '')?.[1]
  // Many servers name UTF-8 for all pages.
  const isWrong = named !== undefined && /^utf-?8$/i.test(named) && !isUtf8(bytes)
  const declared = isWrong ? (charsetWithin(bytes) ?? named) : (named ?? charsetWithin(bytes))
  const decoder = declared === null ? null : decoderOf(declared)
  if (decoder) return decoder.decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function charsetWithin(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const start = bytes.toString('latin1', 0, 4096)
  return /<meta\b[^<>]*\bcharset\s{0,5}=\s{0,5}["']?\s{0,5}([\w.:-]+)/i.exec(start)?.[1] ?? null
}

function decoderOf(charset: string): { decode(bytes: Buffer): string } | null {
  try {
    return new TextDecoder(charset)
  } catch {
    return null
  }
}
