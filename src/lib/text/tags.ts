import { normaliseUnicode, trimEnd } from './linear-time.ts'

// Letters, marks and numbers of any script, and connectors such as the underscore.
const WORD = String.raw`\p{L}\p{M}\p{Nd}\p{Pc}`
// Middle dots and the zero-width non-joiner may be inside a name, but neither start nor end it.
const JOINERS = String.raw`\u00B7\u30FB\u200C`

/** Without the `#`, for the `u` flag. Linear: the parts do not overlap. */
export const TAG_NAME = `[${WORD}]+(?:[${JOINERS}]+[${WORD}]+)*`

export const WORD_CHARACTERS = WORD

/** UTF-16 units: names are keys of an index, whose entries have at most 2,700 bytes. */
const MAX_NAME = 255

const WHOLE_NAME = new RegExp(`^${TAG_NAME}$`, 'u')
const HAS_LETTER = /\p{Alphabetic}/u
// Digits alone are not a name unless connected: `#2026_11`.
const HAS_DIGIT = /\p{Nd}/u
const JOINED = new RegExp(`.[\\p{Pc}${JOINERS}].`, 'u')
// Marks on Latin letters in decomposed text. In other scripts, marks distinguish words. Migration 0029 does the same.
const LATIN_MARKS =
  /(?<=[a-z\u00df-\u024f\u0250-\u02af\u1e00-\u1eff])[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+/g
// Latin letters whose stroke or shape is not a combining mark in Unicode.
const BASE_LETTERS: Readonly<Record<string, string>> = Object.fromEntries(
  [...'øđðħıĸłŋŧ'].map((letter, i) => [letter, [...'oddhiklnt'][i] ?? letter]),
)
const NO_BASE_LETTER = new RegExp(`[${Object.keys(BASE_LETTERS).join('')}]`, 'g')
// Variation selectors are marks that only choose a glyph.
const NOT_ALLOWED = new RegExp(String.raw`[^${WORD}${JOINERS}]+|\p{Variation_Selector}+`, 'gu')
const FIRST_JOINERS = new RegExp(`^[${JOINERS}]+`, 'u')
const JOINER = new RegExp(`[${JOINERS}]`, 'u')

/** Without `#`: word characters, and more than digits or underscores alone. */
export function isTagName(name: string): boolean {
  return (
    name.length <= MAX_NAME &&
    WHOLE_NAME.test(name) &&
    (HAS_LETTER.test(name) || (HAS_DIGIT.test(name) && JOINED.test(name)))
  )
}

/**
 * The spellings of a hashtag share this key: NFKC, lower case, Latin letters without marks, and without characters that a name
 * cannot contain, such as a leading `#`. Empty if nothing remains or the key is too long; check it with `isTagName`.
 */
export function normaliseTag(name: string): string {
  const lower = normaliseUnicode(normaliseUnicode(name, 'NFKC').toLowerCase(), 'NFD')
  const folded = lower.replace(LATIN_MARKS, '').replace(NO_BASE_LETTER, (letter) => BASE_LETTERS[letter] ?? letter)
  const key = trimEnd(normaliseUnicode(folded, 'NFKC').replace(NOT_ALLOWED, '').replace(FIRST_JOINERS, ''), JOINER)
  return key.length <= MAX_NAME ? key : ''
}
