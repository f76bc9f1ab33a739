/** Random numbers that are the same in every run with the same seed (mulberry32). */
export type Random = {
  /** From 0 to below 1. */
  next(): number
  /** A whole number from 0 to below `n`. */
  below(n: number): number
  /** `items` must not be empty. */
  pick<T>(items: readonly T[]): T
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

const WORDS =
  `amber anchor apple autumn basket bicycle bread breeze bridge candle canvas cedar cherry cloud coast copper corner
  cotton dawn desk engine evening fern field forest frost garden glass hammer harbour hill honey island ivory jacket journey
  kettle kitchen ladder lantern lemon letter library linen maple market meadow mirror morning mountain needle oak ocean orchard
  paper pebble pepper piano planet pocket quarry rain recipe river road saddle sail salt shadow shore silver snow spring stone
  story summer thread timber train umbrella valley velvet village violet walnut water weather willow window winter wool`.split(
    /\s+/,
  )
export const TAGS = ['gardening', 'photography', 'typescript', 'cooking', 'cycling', 'books', 'music', 'birds']

const sentence = (random: Random, words: number): string => {
  const text = Array.from({ length: words }, () => random.pick(WORDS)).join(' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

export const displayName = (random: Random): string => sentence(random, 2).slice(0, -1)

/** One to three. */
export const sentences = (random: Random): string[] =>
  Array.from({ length: 1 + random.below(3) }, () => sentence(random, 4 + random.below(10)))

export function postText(random: Random): string {
  const parts = sentences(random)
  if (random.chance(0.3)) parts.push(`#${random.pick(TAGS)}`)
  if (random.chance(0.1)) parts.push(`#${random.pick(TAGS)}`)
  if (random.chance(0.1)) parts.push(`https://example.org/${random.pick(WORDS)}/${random.below(1000)}`)
  if (random.chance(0.1)) parts.push('🌿')
  return parts.join(random.chance(0.2) ? '\n\n' : ' ')
}

export const pollOptions = (random: Random): string[] =>
  [...new Set(Array.from({ length: 4 }, () => random.pick(WORDS)))].slice(0, 4)
export const word = (random: Random): string => random.pick(WORDS)
