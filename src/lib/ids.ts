import { randomInt } from 'node:crypto'

let lastMs = 0
let sequence = 0

/**
 * A new snowflake: milliseconds since the epoch << 16 | 16 bits. Decimal string, grows with time within a process.
 * `at` places it at another time (imported statuses), with random low bits.
 */
export function newId(at?: Date): string {
  if (at) return idAt(at, randomInt(0x10000))
  const now = Date.now()
  if (now > lastMs) {
    lastMs = now
    // Starting low but not at zero keeps two processes from colliding within one millisecond.
    sequence = randomInt(0x8000)
  } else if (++sequence > 0xffff) {
    lastMs++
    sequence = randomInt(0x8000)
  }
  return ((BigInt(lastMs) << 16n) | BigInt(sequence)).toString()
}

/** The snowflake of an instant; low bits 0 unless given: a cursor that clients make from a date. */
export function idAt(at: Date, low = 0): string {
  return ((BigInt(Math.max(0, at.getTime())) << 16n) | BigInt(low)).toString()
}

/** When a snowflake was made. */
export function timeOfId(id: string): Date {
  return new Date(Number(BigInt(id) >> 16n))
}

/** Whether `text` can be an int8 key at all. What is not is simply not found. */
export function isId(text: string): boolean {
  return /^\d{1,19}$/.test(text) && (text.length < 19 || BigInt(text) <= 0x7fffffffffffffffn)
}

/** Orders two decimal ids as numbers. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
}
