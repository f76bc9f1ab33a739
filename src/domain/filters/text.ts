import { normaliseUnicode } from '../../lib/text/linear-time.ts'

export type MatchedParts = {
  /** Sanitised HTML. */
  content: string
  spoiler_text: string
  poll_options?: readonly string[] | null
  descriptions: readonly (string | null)[]
}

/** Longer texts are cut, as remote statuses may be very long. */
const MAX_CHARACTERS = 20_000

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'", nbsp: ' ' }

/**
 * Marks both ends of every word: a phrase that begins and ends with it matches whole words only. Stored text never contains it.
 */
const EDGE = '\0'
/** `\b` of JavaScript knows ASCII letters only. */
const WORDS = /[\p{L}\p{M}\p{N}\p{Pc}]+/gu

/** The text to search: one line for each part, in the form that `keywordPattern` gives keywords. */
export function matchedText(parts: MatchedParts): string {
  const lines = [parts.spoiler_text, textIn(parts.content), ...(parts.poll_options ?? []), ...parts.descriptions]
  let left = MAX_CHARACTERS
  const taken: string[] = []
  for (const line of lines) {
    if (!line || left <= 0) continue
    const text = line.slice(0, left)
    left -= text.length
    taken.push(withEdges(normalise(text)))
  }
  return taken.join('\n')
}

/**
 * The search pattern for a keyword. A whole word must begin or end at a word boundary on each side where it has a letter
 * itself: `#cats` is found after any character, but not in `#catsup`.
 */
export function keywordPattern(keyword: string, wholeWord: boolean): string {
  const phrase = withEdges(normalise(keyword))
  if (wholeWord) return phrase
  const [from, to] = [phrase.startsWith(EDGE) ? 1 : 0, phrase.endsWith(EDGE) ? 1 : 0]
  return phrase.slice(from, phrase.length - to)
}

const withEdges = (text: string): string => text.replace(WORDS, `${EDGE}$&${EDGE}`)

/** Ignores differences in white space, case and Unicode normal form. */
const normalise = (text: string): string => normaliseUnicode(fold(normaliseUnicode(text.replace(/\s+/g, ' ')).trim()))

/** Unicode's full case folding, except for the dotless ı, which only Turkic rules fold to i: `sık` is another word. */
const fold = (text: string): string =>
  text
    .split('ı')
    .map((part) => part.toUpperCase().toLowerCase())
    .join('ı')
    .replaceAll('ς', 'σ')

/** Regular expressions suffice because stored HTML is sanitised; a parser would be too slow for every status that is read. */
function textIn(html: string): string {
  return html
    .replace(/<(?:br|\/?(?:p|li|ul|ol|pre|blockquote|h[1-6]))\b[^<>]*>/g, ' ')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(#39|[a-z]+);/g, (entity, name: string) => ENTITIES[name] ?? entity)
}
