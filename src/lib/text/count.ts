// Counts characters as people see them, not as they are stored.

import { extractEntities } from './extract.ts'

export const CHARACTERS_PER_URL = 23

/**
 * The maximum size of a text for each character of its limit, as a character may have any number of combining marks. Ten code
 * points suffice for a text of flags, and for some family emojis among other characters.
 */
const CODE_POINTS_PER_CHARACTER = 10
const BYTES_PER_CHARACTER = 40

const encoder = new TextEncoder()
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

/** True also when the text is far larger in storage than its limit suggests. */
export function isTooLong(text: string, limit: number): boolean {
  if (text.length <= limit) return false
  return isTooLarge(text, limit) || countGraphemes(text) > limit
}

export function isTooLongStatus(text: string, limit: number, spoiler = ''): boolean {
  const countable = isTooManyBytes(text + spoiler, limit) ? null : countableText(text, spoiler)
  return countable === null || isTooLong(countable, limit)
}

function isTooLarge(text: string, limit: number): boolean {
  if (isTooManyBytes(text, limit)) return true
  let codePoints = 0
  for (const _ of text) codePoints++
  return codePoints > limit * CODE_POINTS_PER_CHARACTER
}

const isTooManyBytes = (text: string, limit: number): boolean =>
  text.length > limit * BYTES_PER_CHARACTER || encoder.encode(text).length > limit * BYTES_PER_CHARACTER

/** At most `limit` code points. Does not split a character of up to 64 units. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const start = Array.from(text.slice(0, 2 * limit))
    .slice(0, limit)
    .join('')
  if (start.length >= text.length) return text
  const around = text.slice(Math.max(0, start.length - 64), start.length + 64)
  const place = Math.min(64, start.length)
  const cluster = segmenter.segment(around).containing(place)?.index ?? place
  return cluster > 0 ? start.slice(0, start.length - place + cluster) : start
}

/** For statuses and bios: 23 for each link, `@user` for remote mentions, and the whole spoiler. */
export const countCharacters = (text: string, spoiler = ''): number => countGraphemes(countableText(text, spoiler))

function countableText(text: string, spoiler: string): string {
  let countable = spoiler
  let position = 0
  for (const entity of extractEntities(text)) {
    if (entity.kind === 'hashtag') continue
    if (entity.kind === 'url' && !/^https?:/i.test(entity.url)) continue
    const counted = entity.kind === 'url' ? 'x'.repeat(CHARACTERS_PER_URL) : `@${entity.username}`
    countable += text.slice(position, entity.start) + counted
    position = entity.end
  }
  return countable + text.slice(position)
}
