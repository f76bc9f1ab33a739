import cluster from 'node:cluster'
import { randomInt } from 'node:crypto'

/** The low bits that this process uses. Web processes of one machine have ranges of their own. */
const RANGES = 16
const range = cluster.worker
  ? { first: (cluster.worker.id % RANGES) * (0x10000 / RANGES), size: 0x10000 / RANGES }
  : { first: 0, size: 0x10000 }

/**
 * Ids go on increasing while the clock is put back by a little, as happens all the time. After a larger correction they follow it:
 * otherwise new posts would have the wrong date until the clock has caught up.
 */
const MAX_AHEAD_MS = 10_000

let lastMs = 0
let sequence = 0

/**
 * A snowflake as a decimal string: milliseconds since the epoch << 16 | 16 bits. Increases within a process, unless the clock is
 * put back by more than MAX_AHEAD_MS. `at` gives it another time (imported statuses), with random low bits.
 */
export function newId(at?: Date): string {
  if (at) return idAt(at, randomInt(0x10000))
  const now = Date.now()
  if (now > lastMs || now < lastMs - MAX_AHEAD_MS) {
    lastMs = now
    sequence = firstOfMs()
  } else if (++sequence >= range.first + range.size) {
    lastMs++
    sequence = firstOfMs()
  }
  return ((BigInt(lastMs) << 16n) | BigInt(sequence)).toString()
}

/** Random, which keeps processes of several machines from colliding within one millisecond. */
const firstOfMs = (): number => range.first + randomInt(range.size / 2)

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

/** As `isId`, for keys that may be negative, as that of the role of everyone. */
export const isSignedId = (text: string): boolean => isId(text.replace(/^-/, ''))

export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
}

/** The largest bigint: no row has it as its id. */
export const LAST_ID = '9223372036854775807'

/** The id, or the last one for a number beyond it; null for other texts. */
export function clampId(text: string): string | null {
  if (isId(text)) return text
  return /^\d+$/.test(text) ? LAST_ID : null
}
