// The words of a text as a search has them, of whatever language: folded, with their places.

import { normaliseUnicode } from './linear-time.ts'

/** A word and its place among the others. */
export type Word = { word: string; at: number }

/** Longer words are told apart by their beginning only. Code points. */
const LONGEST = 64

// Scripts that are written without spaces, or (Hangul) with much attached to words: each character counts, alone and with the
// one after it, so that any part of what is written is found without knowing where words end.
const UNSPACED = String.raw`[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}]&&[\p{L}\p{M}\p{N}]]`
const RUNS = new RegExp(
  String.raw`(${UNSPACED}${UNSPACED}*)|[[\p{L}\p{M}\p{N}]--${UNSPACED}]+|\p{Extended_Pictographic}`,
  'gv',
)

// What is read past in these scripts: accents, vowel points. In others, marks are letters like any.
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
 * The words of a text in order. Of a script without spaces, every character and every pair of neighbours, both at the place of
 * the first. `most`: no further than so many places.
 */
export function tokenize(text: string, most: number): Word[] {
  const words: Word[] = []
  let at = 0
  for (const run of runsOf(text)) {
    if (at >= most) break
    if (typeof run === 'string') words.push({ word: run, at: ++at })
    else
      for (const [i, character] of run.entries()) {
        words.push({ word: character, at: ++at })
        if (i + 1 < run.length) words.push({ word: character + run[i + 1], at })
      }
  }
  return words
}

/** What is looked for, as words at their places: all must stand in a text like this, one after the other. */
export function tokenizeQuery(text: string, most: number): Word[] {
  const words: Word[] = []
  let at = 0
  for (const run of runsOf(text)) {
    if (at >= most) break
    if (typeof run === 'string') words.push({ word: run, at: ++at })
    else if (run.length === 1) words.push({ word: run[0] as string, at: ++at })
    else {
      for (let i = 0; i + 1 < run.length; i++) words.push({ word: (run[i] as string) + run[i + 1], at: ++at })
      at++
    }
  }
  return words
}

/** Words, and runs of characters of a script without spaces. */
function* runsOf(text: string): Generator<string | string[]> {
  for (const match of fold(text).matchAll(RUNS)) {
    if (match[1] !== undefined) yield [...match[1]]
    else yield match[0].length <= LONGEST ? match[0] : [...match[0]].slice(0, LONGEST).join('')
  }
}

/** One spelling for what people take for the same: case, width, accents. */
function fold(text: string): string {
  const plain = normaliseUnicode(text, 'NFKC')
    .toLowerCase()
    .replace(UNSEEN, '')
    .replace(LETTER, (letter) => LETTERS[letter] as string)
  return normaliseUnicode(normaliseUnicode(plain, 'NFD').replace(MARKED, '$1'))
}
