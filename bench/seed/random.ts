/** Random numbers that are the same in every run (mulberry32): what is seeded can be seeded again. */
export type Random = {
  /** From 0 to below 1. */
  next(): number
  /** A whole number from 0 to below `n`. */
  below(n: number): number
  /** One of several; there must be one. */
  pick<T>(items: readonly T[]): T
  /** With this probability. */
  chance(share: number): boolean
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (n: number): number => Math.floor(next() * n)
  return { next, below, pick: (items) => items[below(items.length)] as never, chance: (share) => next() < share }
}
