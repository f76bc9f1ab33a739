import type { Random } from './random.ts'

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

/** A name for a person: two words. */
export const displayName = (random: Random): string => sentence(random, 2).slice(0, -1)

/** A text as people post it: a few sentences, at times a hashtag, a link, an emoji. */
export function postText(random: Random): string {
  const parts = Array.from({ length: 1 + random.below(3) }, () => sentence(random, 4 + random.below(10)))
  if (random.chance(0.3)) parts.push(`#${random.pick(TAGS)}`)
  if (random.chance(0.1)) parts.push(`#${random.pick(TAGS)}`)
  if (random.chance(0.1)) parts.push(`https://example.org/${random.pick(WORDS)}/${random.below(1000)}`)
  if (random.chance(0.1)) parts.push('🌿')
  return parts.join(random.chance(0.2) ? '\n\n' : ' ')
}

export const pollOptions = (random: Random): string[] =>
  [...new Set(Array.from({ length: 4 }, () => random.pick(WORDS)))].slice(0, 4)
export const word = (random: Random): string => random.pick(WORDS)
