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

/** The text in which keywords are looked for: a line for each part, all white space within them made single spaces. */
export function matchedText(parts: MatchedParts): string {
  return [parts.spoiler_text, textIn(parts.content), ...(parts.poll_options ?? []), ...parts.descriptions]
    .flatMap((part) => (part ? normalise(part) : []))
    .join('\n')
    .slice(0, LONGEST)
}

/** Text and keywords are compared in this form: white space and ways to write the same letter make no difference. */
export const normalise = (text: string): string =>
  text
    .replace(/\s{2,}|[^\S ]/g, ' ')
    .trim()
    .normalize('NFC')

/** Stored HTML has no surprises, so this does without a parser: it is done for every post that is read. */
function textIn(html: string): string {
  return html
    .replace(/<(?:br|\/?(?:p|li|ul|ol|pre|blockquote|h[1-6]))\b[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(#39|[a-z]+);/g, (entity, name: string) => ENTITIES[name] ?? entity)
}
