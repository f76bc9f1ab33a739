// Searches for words in names, by an index of trigrams and one of `character_pairs(' ' || text)`. The first knows ASCII letters
// and digits alone, unless the database has a locale of its own.
import { escapeLike, type Sql, sql } from './sql.ts'

/**
 * Whether PostgreSQL finds trigrams in the pattern of `containsWord`, in a database of any locale. Then a plan for any values
 * serves; others depend on the word.
 */
export const hasTrigrams = (word: string): boolean => (word.length < 3 ? /[a-z\d]/ : /.[a-z\d]/s).test(word)
const hasPairs = (word: string): boolean => /\P{ASCII}/u.test(word)

/** False for signs, such as `---`: a search for them would read all names. */
export const isIndexed = (word: string): boolean => hasTrigrams(word) || hasPairs(word)

/** Words of one or two letters match only at the beginning of a word, as trigrams know no others. */
export function containsWord(word: string, text: Sql): Sql {
  const pattern = escapeLike(word)
  return word.length < 3
    ? sql`(${text} like ${`${pattern}%`} or ${text} like ${`% ${pattern}%`})`
    : sql`${text} like ${`%${pattern}%`}`
}

/** Whether the text has this part in any place, for statements that may read all names where no index knows the part. */
export function containsPart(part: string, text: Sql): Sql {
  const contains = sql`${text} like ${`%${escapeLike(part)}%`}`
  const isByPairs = [...part].length > 1 && hasPairs(part) && (part.length < 3 || !hasTrigrams(part))
  return isByPairs ? sql`(character_pairs(' ' || ${text}) @> character_pairs(${part}) and ${contains})` : contains
}

/** As `containsWord`, for statements that may read all names: words without trigrams use the index of pairs. */
export function findsWord(word: string, text: Sql): Sql {
  if (hasTrigrams(word) || !hasPairs(word)) return containsWord(word, text)
  const pairs = sql`character_pairs(${word.length < 3 ? ` ${word}` : word})`
  return sql`(character_pairs(' ' || ${text}) @> ${pairs} and ${containsWord(word, text)})`
}
