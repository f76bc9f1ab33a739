// Splits a text of any language into normalised words with positions, for search.

import { normaliseUnicode } from './linear-time.ts'

export type Word = { word: string; at: number }

/** In code points; longer words are cut. */
const MAX_WORD = 64

// Scripts without spaces, or (Hangul) with suffixes: each character is indexed alone and together with the next one, so that
// any part of a text is found without knowing where words end.
const UNSPACED = String.raw`[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}]&&[\p{L}\p{M}\p{N}]]`
const RUNS = new RegExp(
  String.raw`(${UNSPACED}${UNSPACED}*)|[[\p{L}\p{M}\p{N}]--${UNSPACED}]+|\p{Extended_Pictographic}`,
  'gv',
)

// Accents and vowel points, which readers of these scripts ignore. In other scripts, marks are like letters.
const MARKED = /([\p{sc=Latin}\p{sc=Greek}\p{sc=Arabic}\p{sc=Hebrew}])\p{M}+/gu
// Joiners, soft hyphens, the Arabic stretch.
const UNSEEN = /\u00AD|\u0640|\u200C|\u200D|\uFE0E|\uFE0F/gu
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
  ё: 'е',
}
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu')

/**
 * In order, up to the position `limit`. In a script without spaces: every character and every pair of neighbours, at the
 * position of the first one.
 */
export function tokenize(text: string, limit: number): Word[] {
  const words: Word[] = []
  let at = 0
  for (const run of runsOf(text)) {
    if (at >= limit) break
    if (typeof run === 'string') words.push({ word: run, at: ++at })
    else
      for (const [i, character] of run.entries()) {
        words.push({ word: character, at: ++at })
        if (i + 1 < run.length) words.push({ word: character + run[i + 1], at })
      }
  }
  return words
}

/** A matching text has all the words, at the same distances. */
export function tokenizeQuery(text: string, limit: number): Word[] {
  const words: Word[] = []
  let at = 0
  for (const run of runsOf(text)) {
    if (at >= limit) break
    if (typeof run === 'string') words.push({ word: run, at: ++at })
    else if (run.length === 1) words.push({ word: run[0] as string, at: ++at })
    else {
      for (let i = 0; i + 1 < run.length; i++) words.push({ word: (run[i] as string) + run[i + 1], at: ++at })
      at++
    }
  }
  return words
}

function* runsOf(text: string): Generator<string | string[]> {
  for (const match of fold(text).matchAll(RUNS)) {
    if (match[1] !== undefined) yield [...match[1]]
    else yield match[0].length <= MAX_WORD ? match[0] : [...match[0]].slice(0, MAX_WORD).join('')
  }
}

function fold(text: string): string {
  const plain = normaliseUnicode(text, 'NFKC')
    .toLowerCase()
    .replace(UNSEEN, '')
    .replace(LETTER, (letter) => LETTERS[letter] as string)
  return normaliseUnicode(normaliseUnicode(plain, 'NFD').replace(MARKED, '$1'))
}
