/**
 * A value that already is JSON text, as UTF-8. Presenters give these, so that what does not depend on the viewer is
 * serialised once and copied afterwards. `T` names the entity for the reader; nothing checks it at run time but the tests.
 */
export type JsonText<T = unknown> = Buffer & { readonly json?: T }

type Piece = string | Buffer

/** Puts pieces of JSON text together into one buffer. */
export function concatJson<T>(pieces: readonly Piece[]): JsonText<T> {
  let size = 0
  for (const piece of pieces) size += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length
  const out = Buffer.allocUnsafe(size)
  let at = 0
  for (const piece of pieces) at += typeof piece === 'string' ? out.write(piece, at) : piece.copy(out, at)
  return out
}

const COMMA = Buffer.from(',')
const OPEN = Buffer.from('[')
const CLOSE = Buffer.from(']')

/** `[a,b,c]` of values that are JSON already. */
export function jsonArray<T>(items: readonly JsonText<T>[]): JsonText<T[]> {
  const pieces: Piece[] = [OPEN]
  for (const [i, item] of items.entries()) {
    if (i > 0) pieces.push(COMMA)
    pieces.push(item)
  }
  pieces.push(CLOSE)
  return concatJson(pieces)
}

/** An object whose values are plain, or JSON already. Undefined members are left out. */
export function jsonObject<T>(members: Record<string, unknown>): JsonText<T> {
  const pieces: Piece[] = []
  for (const [key, value] of Object.entries(members)) {
    if (value === undefined) continue
    pieces.push(`${pieces.length ? ',' : '{'}${JSON.stringify(key)}:`)
    pieces.push(Buffer.isBuffer(value) ? value : JSON.stringify(value))
  }
  pieces.push(pieces.length ? '}' : '{}')
  return concatJson(pieces)
}

/** The JSON text of a plain value. */
export function toJson<T>(value: T): JsonText<T> {
  return Buffer.from(JSON.stringify(value))
}

/**
 * The JSON text of an object without its closing brace, to be kept and continued. Small buffers are cut from larger ones that
 * live as long as any part of them: what is kept has memory of its own.
 */
export function openJson(members: Record<string, unknown>): Buffer {
  const text = JSON.stringify(members).slice(0, -1)
  const out = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  out.write(text)
  return out
}
