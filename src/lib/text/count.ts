// The length of a text as people are told it: what they see, not what is stored.

import { extractEntities } from './extract.ts'

/** What every http(s) link counts, however long it is. */
export const CHARACTERS_PER_URL = 23

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

// Below U+0300 nothing combines; only CR LF is one character of two.
const NOTHING_COMBINES = /^[^\u0300-\uFFFF\r]*$/

/** Grapheme clusters: characters as people see them. */
export function countGraphemes(text: string): number {
  if (NOTHING_COMBINES.test(text)) return text.length
  let count = 0
  for (const _ of segmenter.segment(text)) count++
  return count
}

/** Counted length of a status or bio: links count 23 each, remote mentions only `@user`, the spoiler as it stands. */
export function countCharacters(text: string, spoiler = ''): number {
  let countable = spoiler
  let position = 0
  for (const entity of extractEntities(text)) {
    if (entity.kind === 'hashtag') continue
    if (entity.kind === 'url' && !/^https?:/i.test(entity.url)) continue
    const stand = entity.kind === 'url' ? 'x'.repeat(CHARACTERS_PER_URL) : `@${entity.username}`
    countable += text.slice(position, entity.start) + stand
    position = entity.end
  }
  return countGraphemes(countable + text.slice(position))
}
