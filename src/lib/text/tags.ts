// What a hashtag name may be, and the key under which its spellings meet.

// Letters, marks and numbers of any script, and connectors such as the underscore.
const WORD = String.raw`\p{L}\p{M}\p{Nd}\p{Pc}`
// Middle dots and the zero-width non-joiner hold a name together but neither start nor end it.
const JOINERS = String.raw`\u00B7\u30FB\u200C`

/** Source of a hashtag name without its `#`; to be compiled with the `u` flag. Linear: no part of it overlaps another. */
export const TAG_NAME = `[${WORD}]+(?:[${JOINERS}]+[${WORD}]+)*`

/** Source of the characters of a word, for use inside a character class with the `u` flag. */
export const WORD_CHARACTERS = WORD

const WHOLE_NAME = new RegExp(`^${TAG_NAME}$`, 'u')
const ONLY_DIGITS = /^\p{Nd}+$/u
// Variation selectors are marks, but choose a glyph only.
const NOT_ALLOWED = new RegExp(String.raw`[^${WORD}${JOINERS}]+|\p{Variation_Selector}+`, 'gu')
const OUTER_JOINERS = new RegExp(`^[${JOINERS}]+|[${JOINERS}]+$`, 'gu')

/** Whether `name` (without `#`) can be a hashtag: word characters, not digits alone. */
export function isTagName(name: string): boolean {
  return WHOLE_NAME.test(name) && !ONLY_DIGITS.test(name)
}

/**
 * The key of a hashtag: compatibility forms folded, lower case, whatever cannot stand in a name left out (a leading `#`
 * too). Keep the spelling for display apart. Empty if nothing usable is left; check with `isTagName`.
 */
export function normaliseTag(name: string): string {
  const folded = name.normalize('NFKC').toLowerCase().normalize('NFKC')
  return folded.replace(NOT_ALLOWED, '').replace(OUTER_JOINERS, '')
}
