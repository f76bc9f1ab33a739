import { BadRequest } from '../lib/errors.ts'
import { message } from '../messages/message.ts'

/** Nested parameters: strings, uploads, JSON values, arrays and null-prototype objects. */
export type Params = Record<string, unknown>

const MAX_PAIRS = 4096
const MAX_DEPTH = 32
/** No parameter has these names, so nothing has to guard against them later. */
const UNSAFE_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

const emptyParams = (): Params => Object.create(null) as Params
const isParams = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null

/**
 * Pairs to nested parameters, as Rack does it: `a[]` appends, `a[b]` nests, `a[][b]` begins a new element where the key
 * repeats, the last scalar wins. Throws BadRequest where one name is used in two shapes, and for too many or too deep names.
 */
export function parsePairs(pairs: Iterable<readonly [string, unknown]>): Params {
  const params = emptyParams()
  let count = 0
  for (const [name, value] of pairs) {
    if (++count > MAX_PAIRS) throw new BadRequest(message('parameters_too_many'))
    refuseNul(name)
    if (typeof value === 'string') refuseNul(value)
    assign(params, name, value, 0)
  }
  return params
}

/** `a=1&b[]=2`, percent-encoded UTF-8. Throws BadRequest for broken escapes and bytes that are not UTF-8. */
export function parseUrlencoded(text: string): Params {
  const parts = text.split('&', MAX_PAIRS + 1).filter((part) => part !== '')
  return parsePairs(
    parts.map((part): [string, string] => {
      const at = part.indexOf('=')
      return at < 0 ? [unescape(part), ''] : [unescape(part.slice(0, at)), unescape(part.slice(at + 1))]
    }),
  )
}

const refusedQueries = new WeakMap<Params, unknown>()

/** For Fastify's querystringParser. Never throws, as the router calls it outside of any handler: `queryError` has the error. */
export function parseQuery(text: string): Params {
  if (text === '') return emptyParams()
  try {
    // Node decodes bytes outside ASCII as Latin-1. Clients that send them unescaped mean UTF-8.
    const isLatin1 = /[\x80-\xff]/.test(text) && !/[\u0100-\uffff]/.test(text)
    return parseUrlencoded(isLatin1 ? decodeUtf8(Buffer.from(text, 'latin1')) : text)
  } catch (error) {
    const query = emptyParams()
    refusedQueries.set(query, error)
    return query
  }
}

/** The error of a query string that `parseQuery` returned as empty. */
export const queryError = (query: unknown): unknown => refusedQueries.get(query as Params)

/**
 * A JSON body as parameters: an object, or an empty body. PHP encodes an empty object as an empty list; Laravel sends one with
 * each request without parameters. Integers too large for a number, such as unquoted ids, become strings. Throws BadRequest for
 * other values, for deep nesting, and for NUL characters, which PostgreSQL refuses.
 */
export function parseJsonParams(bytes: Buffer): Params {
  const text = decodeUtf8(bytes)
  if (text.trim() === '') return emptyParams()
  let value: unknown
  try {
    value = /\d{16}/.test(text) ? JSON.parse(text, keepLargeIntegers) : JSON.parse(text)
  } catch (error) {
    throw new BadRequest(message('json_invalid'), error)
  }
  if (value === null || (Array.isArray(value) && value.length === 0)) return emptyParams()
  if (typeof value !== 'object' || Array.isArray(value)) throw new BadRequest(message('json_not_object'))
  return cleanJson(value, 0) as Params
}

/** Drops a byte order mark. Throws BadRequest for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new BadRequest(message('parameters_utf8'), error)
  }
}

function keepLargeIntegers(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  return context?.source !== undefined && /^-?\d+$/.test(context.source) ? context.source : value
}

function cleanJson(value: unknown, depth: number): unknown {
  if (typeof value === 'string') refuseNul(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) throw new BadRequest(message('parameters_nested'))
  if (Array.isArray(value)) return value.map((item) => cleanJson(item, depth + 1))
  const out = emptyParams()
  for (const [key, item] of Object.entries(value)) {
    refuseNul(key)
    if (!UNSAFE_KEYS.has(key)) out[key] = cleanJson(item, depth + 1)
  }
  return out
}

function assign(params: Params, name: string, value: unknown, depth: number): void {
  if (depth > MAX_DEPTH) throw new BadRequest(message('parameters_nested'))
  const [key, after] = splitName(name, depth)
  if (key === '' || UNSAFE_KEYS.has(key)) return
  if (after === '' || after === '[') {
    if (isParams(params[key]) || Array.isArray(params[key])) throw conflict(key)
    params[key] = value
  } else if (after === '[]') {
    arrayAt(params, key).push(value)
  } else if (after.startsWith('[]')) {
    const bracketed = /^\[\]\[([^[\]]+)\]$/.exec(after)
    const child = bracketed?.[1] ?? after.slice(2)
    const list = arrayAt(params, key)
    const last = list.at(-1)
    const element = isParams(last) && !hasKey(last, child) ? last : emptyParams()
    if (element !== last) list.push(element)
    assign(element, child, value, depth + 1)
  } else {
    params[key] ??= emptyParams()
    const inner = params[key]
    if (!isParams(inner)) throw conflict(key)
    assign(inner, after, value, depth + 1)
  }
}

/** `a[b][c]` into `a` and `[b][c]`; beneath the top, `[b][c]` into `b` and `[c]`. */
function splitName(name: string, depth: number): [key: string, after: string] {
  if (depth === 0) {
    const at = name.indexOf('[', 1)
    return at < 0 ? [name, ''] : [name.slice(0, at), name.slice(at)]
  }
  const close = name.startsWith('[') ? name.indexOf(']', 1) : -1
  if (close > 0) return [name.slice(1, close), name.slice(close + 1)]
  const open = name.indexOf('[', 1)
  return open < 0 ? [name, ''] : [name.slice(0, open), name.slice(open)]
}

function arrayAt(params: Params, key: string): unknown[] {
  params[key] ??= []
  const list = params[key]
  if (!Array.isArray(list)) throw conflict(key)
  return list
}

function hasKey(params: Params, name: string): boolean {
  if (name.includes('[]')) return false
  let at: unknown = params
  for (const part of name.split(/[[\]]+/)) {
    if (part === '') continue
    if (!isParams(at) || !(part in at)) return false
    at = at[part]
  }
  return true
}

function unescape(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch (error) {
    throw new BadRequest(message('parameters_encoding'), error)
  }
}

/** Throws BadRequest for NUL, which PostgreSQL cannot store. */
export function refuseNul(text: string): void {
  if (text.includes('\0')) throw new BadRequest(message('parameters_nul'))
}

const conflict = (key: string): BadRequest =>
  new BadRequest(message('parameter_conflict', { name: key.toWellFormed().slice(0, 100) }))
