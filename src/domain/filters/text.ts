import { normaliseUnicode } from '../../lib/text/normalise.ts'

/** What of a post is looked at for keywords. */
export type MatchedParts = {
  /** HTML, of our own making or sanitised. */
  content: string
  spoiler_text: string
  poll_options?: readonly string[] | null
  /** Of its media. */
  descriptions: readonly (string | null)[]
}

/** Posts of other servers may be books; so much of one is looked at, in characters. */
const LONGEST = 20_000

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'", nbsp: ' ' }

/** Stands at both ends of every word, so that a phrase with one at its end is found as a whole word. In no text that is stored. */
const EDGE = '\0'
/** What JavaScript's own \b takes for part of a word is ASCII only. */
const WORDS = /[\p{L}\p{M}\p{N}\p{Pc}]+/gu

/** The text in which keywords are looked for: a line for each part, each in the form that phraseOf gives keywords. */
export function matchedText(parts: MatchedParts): string {
  const lines = [parts.spoiler_text, textIn(parts.content), ...(parts.poll_options ?? []), ...parts.descriptions]
  let left = LONGEST
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
 * A keyword in the form in which it is looked for. As a whole word, one ends where words end on each side where it has a letter
 * itself: `#cats` is found after anything, but not in `#catsup`.
 */
export function phraseOf(keyword: string, wholeWord: boolean): string {
  const phrase = withEdges(normalise(keyword))
  if (wholeWord) return phrase
  const [from, to] = [phrase.startsWith(EDGE) ? 1 : 0, phrase.endsWith(EDGE) ? 1 : 0]
  return phrase.slice(from, phrase.length - to)
}

const withEdges = (text: string): string => text.replace(WORDS, `${EDGE}$&${EDGE}`)

/** White space, case and ways to write the same letter make no difference. */
const normalise = (text: string): string => normaliseUnicode(fold(normaliseUnicode(text.replace(/\s+/g, ' ')).trim()))

/** Unicode's full case folding, but for the dotless ı, which only Turkic rules make an i: `sık` is another word. */
const fold = (text: string): string =>
  text
    .split('ı')
    .map((part) => part.toUpperCase().toLowerCase())
    .join('ı')
    .replaceAll('ς', 'σ')

/** Stored HTML has no surprises, so this does without a parser: it is done for every post that is read. */
function textIn(html: string): string {
  return html
    .replace(/<(?:br|\/?(?:p|li|ul|ol|pre|blockquote|h[1-6]))\b[^<>]*>/g, ' ')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(#39|[a-z]+);/g, (entity, name: string) => ENTITIES[name] ?? entity)
}
