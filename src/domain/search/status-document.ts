// The document of a status in the search index: its words, and facts about it.
import { tokenize } from '../../lib/text/words.ts'

export type IndexableStatus = {
  id: string
  account_id: string
  /** Whether everyone can find it. */
  open: boolean
  /** Plain text. */
  texts: readonly (string | null)[]
  reply: boolean
  sensitive: boolean
  language: string | null
  poll: boolean
  quote?: boolean
  media: readonly string[]
  card: string | null
  /** Other local accounts that can find it. */
  readers: readonly string[]
}

/** Lexemes of a document that are not words, for search operators and access. `share`: see addSearchShare in status-index.ts. */
export const fact = {
  open: ':open',
  reader: (accountId: string): string => `:for:${accountId}`,
  author: (accountId: string): string => `:by:${accountId}`,
  share: (lowerId: string): string => `:in:${lowerId}`,
  language: (code: string): string => `:lang:${code.toLowerCase()}`,
  has: (what: string): string => `:has:${what}`,
  is: (what: string): string => `:is:${what}`,
}

/** Later words are not indexed. */
const MAX_WORDS = 4000
/** PostgreSQL stores no more positions of a lexeme. */
const MAX_POSITIONS = 255

/** As the text of a `tsvector`. */
export function documentOf(status: Omit<IndexableStatus, 'id'>): string {
  const positions = new Map<string, number[]>()
  let after = 0
  for (const text of status.texts) {
    if (!text) continue
    const words = tokenize(text, MAX_WORDS - after)
    for (const { word, at } of words) {
      const known = positions.get(word)
      if (!known) positions.set(word, [after + at])
      else if (known.length < MAX_POSITIONS) known.push(after + at)
    }
    // A gap, so that no phrase matches across two texts.
    after += (words.at(-1)?.at ?? 0) + 1
    if (after >= MAX_WORDS) break
  }
  const lexemes = factsOf(status).map((lexeme) => `'${lexeme}'`)
  for (const [word, at] of positions) lexemes.push(`'${word}':${at.join(',')}`)
  return lexemes.join(' ')
}

function factsOf(status: Omit<IndexableStatus, 'id'>): string[] {
  const has = new Set<string>()
  if (status.media.length > 0) has.add('media')
  for (const type of status.media) has.add(type === 'gifv' ? 'video' : type)
  if (status.poll) has.add('poll')
  if (status.quote) has.add('quote')
  if (status.card !== null) has.add('link')
  if (status.card !== null && status.card !== 'link') has.add('embed')
  const language = status.language?.toLowerCase()
  return [
    fact.author(status.account_id),
    ...(status.open ? [fact.open] : []),
    ...status.readers.map(fact.reader),
    ...[...has].map(fact.has),
    ...(status.reply ? [fact.is('reply')] : []),
    ...(status.sensitive ? [fact.is('sensitive')] : []),
    // `zh-TW` is found by `zh` as well.
    ...(language ? [...new Set([language, language.split('-')[0] as string])].map(fact.language) : []),
  ]
}
