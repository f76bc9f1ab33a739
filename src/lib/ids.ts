import { randomInt } from 'node:crypto'

let lastMs = 0
let sequence = 0

/**
 * A snowflake as a decimal string: milliseconds since the epoch << 16 | 16 bits. Increases within a process. `at` gives it
 * another time (imported statuses), with random low bits.
 */
export function newId(at?: Date): string {
  if (at) return idAt(at, randomInt(0x10000))
  const now = Date.now()
  if (now > lastMs) {
    lastMs = now
    // A random start keeps two processes from colliding within one millisecond.
    sequence = randomInt(0x8000)
  } else if (++sequence > 0xffff) {
    lastMs++
    sequence = randomInt(0x8000)
  }
  return ((BigInt(lastMs) << 16n) | BigInt(sequence)).toString()
}

/** A cursor at a date: the smallest snowflake of an instant, or the one with the low bits `low`. */
export function idAt(at: Date, low = 0): string {
  return ((BigInt(Math.max(0, at.getTime())) << 16n) | BigInt(low)).toString()
}

export function timeOfId(id: string): Date {
  return new Date(Number(BigInt(id) >> 16n))
}

/** False unless `text` fits an int8 key; treat it as an unknown id. */
export function isId(text: string): boolean {
  return /^\d{1,19}$/.test(text) && (text.length < 19 || BigInt(text) <= 0x7fffffffffffffffn)
}

export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
}
