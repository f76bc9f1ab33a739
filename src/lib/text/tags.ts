// What a hashtag name may be, and the key under which its spellings meet.

import { normaliseUnicode, trimEnd } from './linear-time.ts'

// Letters, marks and numbers of any script, and connectors such as the underscore.
const WORD = String.raw`\p{L}\p{M}\p{Nd}\p{Pc}`
// Middle dots and the zero-width non-joiner hold a name together but neither start nor end it.
const JOINERS = String.raw`\u00B7\u30FB\u200C`

/** Source of a hashtag name without its `#`; to be compiled with the `u` flag. Linear: no part of it overlaps another. */
export const TAG_NAME = `[${WORD}]+(?:[${JOINERS}]+[${WORD}]+)*`

/** Source of the characters of a word, for use inside a character class with the `u` flag. */
export const WORD_CHARACTERS = WORD

/** In UTF-16 units: names are keys of an index, whose entries have at most 2,700 bytes. */
const LONGEST = 255

const WHOLE_NAME = new RegExp(`^${TAG_NAME}$`, 'u')
const HAS_LETTER = /\p{Alphabetic}/u
// Without a letter, what joins digits makes a name of them: `#2026_11`.
const HAS_DIGIT = /\p{Nd}/u
const JOINED = new RegExp(`.[\\p{Pc}${JOINERS}].`, 'u')
// Marks on Latin letters, in text that is decomposed. In other scripts marks tell words apart. As in migration 0029.
const LATIN_MARKS =
  /(?<=[a-z\u00df-\u024f\u0250-\u02af\u1e00-\u1eff])[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+/g
// Latin letters whose stroke or shape is not a mark of its own in Unicode.
const BASE_LETTERS: Readonly<Record<string, string>> = Object.fromEntries(
  [...'øđðħıĸłŋŧ'].map((letter, i) => [letter, [...'oddhiklnt'][i] ?? letter]),
)
const NO_BASE_LETTER = new RegExp(`[${Object.keys(BASE_LETTERS).join('')}]`, 'g')
// Variation selectors are marks, but choose a glyph only.
const NOT_ALLOWED = new RegExp(String.raw`[^${WORD}${JOINERS}]+|\p{Variation_Selector}+`, 'gu')
const FIRST_JOINERS = new RegExp(`^[${JOINERS}]+`, 'u')
const JOINER = new RegExp(`[${JOINERS}]`, 'u')

/** Whether `name` (without `#`) can be a hashtag: word characters, and more than digits or underscores alone. */
export function isTagName(name: string): boolean {
  return (
    name.length <= LONGEST &&
    WHOLE_NAME.test(name) &&
    (HAS_LETTER.test(name) || (HAS_DIGIT.test(name) && JOINED.test(name)))
  )
}

/**
 * The key of a hashtag: NFKC, lower case, Latin letters without their marks, whatever cannot stand in a name left out (a leading
 * `#` too). Keep the spelling for display apart. Empty if nothing usable is left, or too much; check with `isTagName`.
 */
export function normaliseTag(name: string): string {
  const lower = normaliseUnicode(normaliseUnicode(name, 'NFKC').toLowerCase(), 'NFD')
  const folded = lower.replace(LATIN_MARKS, '').replace(NO_BASE_LETTER, (letter) => BASE_LETTERS[letter] ?? letter)
  const key = trimEnd(normaliseUnicode(folded, 'NFKC').replace(NOT_ALLOWED, '').replace(FIRST_JOINERS, ''), JOINER)
  return key.length <= LONGEST ? key : ''
}
