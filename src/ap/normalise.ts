import { hasStorableYear } from '../lib/dates.ts'
import { unescapeHtml } from '../lib/html.ts'

/**
 * Reads the JSON of other servers without JSON-LD processing: a property may have its short name, a known prefix or a full IRI,
 * and a value may be plain, in an array or in an object. An unusable value becomes null. No function throws, and the work is
 * linear in the size of the input.
 */
export type Json = Record<string, unknown>

/** In bytes. */
const MAX_URL_LENGTH = 2048
/** In characters; longer names and titles are truncated. */
export const MAX_LINE_LENGTH = 2048
/** In characters; longer texts with markup are truncated. */
export const MAX_TEXT_LENGTH = 100_000
const MAX_ITEMS = 1000

const namespaces = [
  'https://www.w3.org/ns/activitystreams#',
  'http://www.w3.org/ns/activitystreams#',
  'as:',
  'http://joinmastodon.org/ns#',
  'toot:',
  'https://w3id.org/security#',
  'sec:',
  'http://schema.org#',
  'http://schema.org/',
  'https://schema.org/',
  'schema:',
  'http://www.w3.org/ns/ldp#',
  'ldp:',
  'http://ostatus.org#',
  'ostatus:',
  'https://misskey-hub.net/ns#',
  'misskey:',
  'http://fedibird.com/ns#',
  'fedibird:',
  'https://w3id.org/fep/044f#',
  'https://w3id.org/fep/7aa9#',
  'https://gotosocial.org/ns#',
  'gts:',
  'http://litepub.social/ns#',
  'litepub:',
  'https://purl.archive.org/socialweb/webfinger#',
]

/** Shortens `as:content`, a full IRI and `@id`. Unknown names stay unchanged. */
function shortName(name: string): string {
  if (name === '@id' || name === '@type') return name.slice(1)
  if (!name.includes(':')) return name
  const namespace = namespaces.find((prefix) => name.startsWith(prefix))
  return namespace === undefined ? name : name.slice(namespace.length)
}

/** Null for a value that is not an object. A short property name takes precedence over its longer spellings. */
export function asObject(value: unknown): Json | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const source = value as Json
  const names = Object.keys(source)
  if (!names.some((name) => name.includes(':') || name === '@id' || name === '@type')) return source
  const renamed = Object.create(null) as Json
  for (const name of names) {
    const short = shortName(name)
    if (short === name || !(short in renamed)) renamed[short] = source[name]
  }
  return renamed
}

export function firstObject(value: unknown): Json | null {
  return asObject(Array.isArray(value) ? value[0] : value)
}

export function asArray(value: unknown, limit = MAX_ITEMS): unknown[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) {
    const only = value.length === 1 ? listOf(value[0]) : null
    return (only ?? value).slice(0, limit)
  }
  return (listOf(value) ?? [value]).slice(0, limit)
}

/** The identifier in a string, an object with an id, or the first element of an array. Not checked to be a URL. */
export function idOf(value: unknown): string | null {
  const first = Array.isArray(value) ? value[0] : value
  const id = typeof first === 'string' ? first : asObject(first)?.['id']
  return typeof id === 'string' && id !== '' && isShort(id) && isStorable(id) ? id : null
}

/** URLs are keys of indexes, whose entries have at most 2,700 bytes. */
const isShort = (text: string): boolean => text.length <= MAX_URL_LENGTH && Buffer.byteLength(text) <= MAX_URL_LENGTH

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

export function urlOf(value: unknown): string | null {
  const id = idOf(value)
  return id !== null && isHttpUrl(id) ? id : null
}

/** Without duplicates. */
export function idsOf(value: unknown, limit = MAX_ITEMS): string[] {
  const ids = asArray(value, limit).map(idOf)
  return [...new Set(ids.filter((id) => id !== null))]
}

export function isHttpUrl(text: string): boolean {
  return isShort(text) && /^https?:\/\/[^\s/]/i.test(text) && isStorable(text) && URL.canParse(text)
}

/** For addresses in responses to clients: some cannot decode a page if one address on it has a space or an `é`. */
export const encodedUrl = (url: string): string => (/[^!-~]/.test(url) ? (URL.parse(url)?.href ?? url) : url)

/** The forms in which an address may be stored: encoded or, if it was stored before addresses were encoded, as it was sent. */
export function addressSpellings(url: string): string[] {
  const spellings = new Set([url, encodedUrl(url)])
  try {
    spellings.add(decodeURI(url))
  } catch {
    // It is not encoded as UTF-8.
  }
  return [...spellings]
}

/** Compares the port too. False when either is not a URL. */
export function isSameHost(a: string, b: string): boolean {
  const host = URL.parse(a)?.host
  return host !== undefined && host !== '' && host === URL.parse(b)?.host
}

/** In short form, never empty strings. */
export function typesOf(object: Json): string[] {
  return asArray(object['type'], 10)
    .filter((type) => typeof type === 'string')
    .map(shortName)
    .filter((type) => type !== '')
}

/** Accepts a string, `{"@value": …}`, or the first of several. Removes what PostgreSQL cannot store. */
export function textOf(value: unknown, limit = MAX_LINE_LENGTH): string | null {
  const text = scalarOf(value)
  return typeof text === 'string' ? text.slice(0, limit).replaceAll('\0', '').toWellFormed() : null
}

/**
 * The text of a property such as `content`, or the first text of its map (`contentMap`) when it is missing; with its language.
 */
export function languageTextOf(
  object: Json,
  name: string,
  limit: number,
): { text: string | null; language: string | null } {
  const plain = textOf(object[name], limit)
  const map = Object.entries(asObject(object[`${name}Map`]) ?? {}).slice(0, 100)
  const entry =
    map.find(([, text]) => textOf(text, limit) === plain) ?? map.find(([, text]) => typeof text === 'string')
  const tagged = firstObject(object[name])?.['@language']
  const language = plain !== null && typeof tagged === 'string' ? tagged : (entry?.[0] ?? null)
  const isLanguage = language !== null && language !== 'und' && /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,4}$/.test(language)
  return { text: plain || (textOf(entry?.[1], limit) ?? plain), language: isLanguage ? language : null }
}

/** The name of an account or the title of a post, as plain text. */
export function nameTextOf(object: Json): { text: string | null; language: string | null } {
  const { text, language } = languageTextOf(object, 'name', MAX_LINE_LENGTH)
  return { text: text === null ? null : unescapeText(text), language }
}

/**
 * For plain text that some servers send escaped: Hubzilla names and titles, GoToSocial content warnings, in which it leaves `&`
 * and `>` as they are. A text with a `<` is not escaped.
 */
export const unescapeText = (text: string): string =>
  text.includes('<') ? text : unescapeHtml(text).replaceAll('\0', '').toWellFormed()

/** Whether markup shows nothing: snac sends a line break where there is no text. */
export const isBlank = (markup: string | null): boolean => /^(?:\s|<\/?(?:br|p)\s*\/?>)*$/i.test(markup ?? '')

/** As in mails and HTTP headers (RFC 5322). */
const MAIL_DATE = /^(?:[A-Z][a-z]{2}, ?)?\d{1,2} [A-Z][a-z]{2} [1-9]\d{3} \d\d:\d\d(?::\d\d)? (?:GMT|UTC?|[+-]\d{4})$/

/**
 * ISO 8601 with or without time (midnight when it has none), seconds, fractions and zone (UTC when it has none), or a date as in
 * mails. Null for other text, and for dates that cannot be stored.
 */
export function dateOf(value: unknown): Date | null {
  const text = textOf(value, 64)
  if (text === null) return null
  const date = MAIL_DATE.test(text) ? new Date(text) : isoDateOf(text)
  return date !== null && hasStorableYear(date) ? date : null
}

function isoDateOf(text: string): Date | null {
  const match = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?\s?(Z|z|[+-]\d\d:?\d\d)?)?$/.exec(text)
  return match && new Date(`${match[1]}T${match[2] ?? '00:00'}${match[3] ?? ':00'}${match[4]?.toUpperCase() ?? 'Z'}`)
}

export function numberOf(value: unknown): number | null {
  const number = scalarOf(value)
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** Far more than there are accounts: the sum with what is counted here stays within an int. */
const MAX_COUNT = 1_000_000_000

/** Only whole numbers from 0 to 2^31-1, of which those above MAX_COUNT become MAX_COUNT. */
export function countOf(value: unknown): number | null {
  const number = numberOf(value)
  const isCount = number !== null && Number.isInteger(number) && number >= 0 && number < 2 ** 31
  return isCount ? Math.min(number, MAX_COUNT) : null
}

export function booleanOf(value: unknown): boolean | null {
  const flag = scalarOf(value)
  if (flag === true || flag === 'true') return true
  return flag === false || flag === 'false' ? false : null
}

/** Accepts a plain value, `{"@value": …}`, or the first of several. */
function scalarOf(value: unknown): unknown {
  const first = Array.isArray(value) ? value[0] : value
  return typeof first === 'object' && first !== null ? (first as Json)['@value'] : first
}

function listOf(value: unknown): unknown[] | null {
  if (typeof value !== 'object' || value === null) return null
  const list = (value as Json)['@list'] ?? (value as Json)['@set']
  return Array.isArray(list) ? list : null
}
