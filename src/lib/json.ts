import { hash } from 'node:crypto'

/**
 * JSON text as UTF-8. Presenters return it, so that the parts that do not depend on the viewer are serialised once and copied
 * afterwards. `T` is the value's type; it exists for the compiler only.
 */
export type JsonText<T = unknown> = Buffer & { readonly json?: T }

/**
 * JSON text in parts, at least one, which together are one document: what handlers return for a page. The server copies them
 * once, into memory that it uses again (`src/http/response-body.ts`).
 */
export type JsonPieces<T = unknown> = readonly Buffer[] & { readonly json?: T }

/** A document that many responses share, with its digest for their ETags. Node sends short strings faster than short buffers. */
export class JsonDocument<T = unknown> {
  declare readonly json?: T
  readonly text: string
  readonly digest: string

  constructor(value: T | JsonText<T>) {
    this.text = Buffer.isBuffer(value) ? value.toString() : JSON.stringify(value)
    this.digest = hash('sha1', this.text, 'base64url')
  }
}

/** Each member is a plain value, or JSON as text or in pieces. Undefined members are left out. */
export type JsonMembers<T> = {
  readonly [Name in keyof T]: T[Name] | JsonText<T[Name]> | JsonPieces<T[Name]> | undefined
}

const COMMA = Buffer.from(',')
const OPEN = Buffer.from('[')
const CLOSE = Buffer.from(']')
const BRACE = '{'.charCodeAt(0)

export function toJson<T>(value: T): JsonText<T> {
  return Buffer.from(JSON.stringify(value))
}

/**
 * Memory of its own, for bytes that a cache holds. A small buffer usually shares 64 KB with others, which live as long as any of
 * them: caches of small buffers would hold ten times their size.
 */
const ownMemory = (size: number): Buffer => Buffer.allocUnsafeSlow(size)

export function toCacheableJson<T>(value: T): JsonText<T> {
  const text = JSON.stringify(value)
  const out = ownMemory(Buffer.byteLength(text))
  out.write(text)
  return out
}

export function jsonArray<T>(items: readonly JsonText<T>[]): JsonText<T[]> {
  return Buffer.concat(arrayPieces(items))
}

/** As `jsonArray`, without joining the items. */
export function arrayPieces<T>(items: readonly (JsonText<T> | JsonPieces<T>)[]): JsonPieces<T[]> {
  const pieces: Buffer[] = [OPEN]
  for (const item of items) {
    if (pieces.length > 1) pieces.push(COMMA)
    if (isPieces(item)) pieces.push(...item)
    else pieces.push(item)
  }
  pieces.push(CLOSE)
  return pieces
}

/** As `jsonObject`, without joining the members. */
export function objectPieces<T>(members: JsonMembers<T>): JsonPieces<T> {
  const [first = '}', ...others] = partsOf(members)
  const start = first === '}' ? '{}' : `{${first.slice(1).toString()}`
  return [Buffer.from(start), ...others.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))]
}

/** A list of values contains no buffers, and an empty one is no document in pieces. */
export const isPieces = (value: unknown): value is JsonPieces => Array.isArray(value) && Buffer.isBuffer(value[0])

/** Member names must be fixed in the code: the text of each is cached. */
export function jsonObject<T>(members: JsonMembers<T>): JsonText<T> {
  return join(null, partsOf(members))
}

/** Appends members to `base`. Copies its bytes without parsing them. */
export function extendJson<Base, More>(base: JsonText<Base>, members: JsonMembers<More>): JsonText<Base & More> {
  return join(base.length > 2 ? base : null, partsOf(members))
}

/** Members in the form that `withExtension` appends. */
export const extensionOf = (members: object): Buffer => copyOf(partsOf(members))

/** Appends members to an object that has some, without copying. */
export const withExtension = <T>(base: JsonText<T>, extension: Buffer): JsonPieces<T> => [
  base.subarray(0, -1),
  extension,
]

export const joinedPieces = <T>(json: JsonText<T> | JsonPieces<T>): JsonText<T> =>
  isPieces(json) ? Buffer.concat(json) : (json as JsonText<T>)

/**
 * The members, each with a comma before it, and the closing brace. The first part is a text. Neighbouring plain members are one
 * text, as copying many small parts takes longer than copying few.
 */
function partsOf(members: object): (string | Buffer)[] {
  const parts: (string | Buffer)[] = []
  let text = ''
  // Every status of a page passes here: this loop, and texts of names made once, take half the time of Object.entries.
  for (const name in members) {
    const value = (members as Record<string, unknown>)[name]
    if (value === undefined) continue
    text += nameText(name)
    if (value instanceof Uint8Array) parts.push(text, value as Buffer)
    else if (isPieces(value)) parts.push(text, ...value)
    else {
      text += plainText(value)
      continue
    }
    text = ''
  }
  parts.push(`${text}}`)
  return parts
}

const nameTexts = new Map<string, string>()

/** `,"name":`. The code lists the names, so the cache stays small. */
function nameText(name: string): string {
  let text = nameTexts.get(name)
  if (text === undefined) nameTexts.set(name, (text = `,${JSON.stringify(name)}:`))
  return text
}

function plainText(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (Number.isSafeInteger(value)) return String(value)
  return Array.isArray(value) && value.length === 0 ? '[]' : JSON.stringify(value)
}

/** Appends to `base` without its closing brace. Without a base, the comma of the first member becomes the brace. */
function join(base: Buffer | null, parts: readonly (string | Buffer)[]): Buffer {
  if (base === null && parts[0] === '}') return Buffer.from('{}')
  const out = copyOf(base === null ? parts : [base.subarray(0, -1), ...parts])
  if (base === null) out[0] = BRACE
  return out
}

function copyOf(parts: readonly (string | Buffer)[]): Buffer {
  let size = 0
  for (const part of parts) size += typeof part === 'string' ? Buffer.byteLength(part) : part.length
  const out = ownMemory(size)
  let at = 0
  for (const part of parts) at += typeof part === 'string' ? out.write(part, at) : part.copy(out, at)
  return out
}

/** No real document is deeper. Recursive code relies on this limit. */
const MAX_DEPTH = 64

const [QUOTE, BACKSLASH, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\[]{}')

/** Throws SyntaxError for malformed and for too deeply nested text. */
export function parseForeignJson(bytes: Buffer): unknown {
  if (isTooDeep(bytes)) throw new SyntaxError('The JSON is nested too deeply')
  return JSON.parse(bytes.toString('utf8'))
}

/** Counts brackets outside strings, in bytes: they never occur inside another UTF-8 character. */
function isTooDeep(bytes: Buffer): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (inString) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) inString = true
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH) return true
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--
  }
  return false
}
