import { tokenize } from '../../lib/text/words.ts'

/** What a post is found by. */
export type Findable = {
  id: string
  account_id: string
  /** Whether everybody may find it. */
  open: boolean
  /** HTML left out. */
  texts: readonly (string | null)[]
  reply: boolean
  sensitive: boolean
  language: string | null
  poll: boolean
  /** Types of media. */
  media: readonly string[]
  /** The type of the preview of its link. */
  card: string | null
  /** Accounts of this server that may find it, beside its author. */
  readers: readonly string[]
}

/**
 * What documents say beside the words, as lexemes that no word can be. `share` is the one the search walks by: see
 * search-shares.ts.
 */
export const fact = {
  open: ':open',
  reader: (accountId: string): string => `:for:${accountId}`,
  author: (accountId: string): string => `:by:${accountId}`,
  share: (lowerId: string): string => `:in:${lowerId}`,
  language: (code: string): string => `:lang:${code.toLowerCase()}`,
  has: (what: string): string => `:has:${what}`,
  is: (what: string): string => `:is:${what}`,
}

/** No post is found by what stands further behind. */
const MOST_WORDS = 4000
/** What PostgreSQL keeps of one lexeme. */
const MOST_PLACES = 255

/** A post as PostgreSQL's tsvector, written out. */
export function documentOf(post: Findable): string {
  const places = new Map<string, number[]>()
  let after = 0
  for (const text of post.texts) {
    if (!text) continue
    const words = tokenize(text, MOST_WORDS - after)
    for (const { word, at } of words) {
      const known = places.get(word)
      if (!known) places.set(word, [after + at])
      else if (known.length < MOST_PLACES) known.push(after + at)
    }
    // A phrase does not go on from one text to the next.
    after += (words.at(-1)?.at ?? 0) + 1
    if (after >= MOST_WORDS) break
  }
  const lexemes = factsOf(post).map((lexeme) => `'${lexeme}'`)
  for (const [word, at] of places) lexemes.push(`'${word}':${at.join(',')}`)
  return lexemes.join(' ')
}

function factsOf(post: Findable): string[] {
  const has = new Set<string>()
  if (post.media.length > 0) has.add('media')
  for (const type of post.media) has.add(type === 'gifv' ? 'video' : type)
  if (post.poll) has.add('poll')
  if (post.card !== null) has.add('link')
  if (post.card !== null && post.card !== 'link') has.add('embed')
  const language = post.language?.toLowerCase()
  return [
    fact.author(post.account_id),
    ...(post.open ? [fact.open] : []),
    ...post.readers.map(fact.reader),
    ...[...has].map(fact.has),
    ...(post.reply ? [fact.is('reply')] : []),
    ...(post.sensitive ? [fact.is('sensitive')] : []),
    // `zh-TW` is found by `zh` as well.
    ...(language ? [...new Set([language, language.split('-')[0] as string])].map(fact.language) : []),
  ]
}
