// The query language of status search, as in Mastodon.

import { isDay, parseInstant } from '../../lib/dates.ts'
import { tokenizeQuery, type Word } from '../../lib/text/words.ts'
import { fact } from './status-document.ts'

export type Clause = { not: boolean } & (
  | { kind: 'words'; words: readonly Word[] }
  | { kind: 'fact'; lexeme: string }
  | { kind: 'from'; handle: string }
  /** `date`: a day, or an instant. */
  | { kind: 'date'; operator: 'before' | 'after' | 'during'; date: string }
  | { kind: 'in'; where: 'library' | 'public' | 'all' }
)

/** Characters, clauses and words beyond these limits are ignored. */
const MAX_LENGTH = 2048
const MAX_CLAUSES = 32
const MAX_WORDS = 64

const TERM = /([+-]?)(?:(has|is|language|from|before|after|during|in):(?:"([^"]*)"|(\S+))|"([^"]*)"?|(\S+))/giu

/**
 * Parses a query of words, "phrases" and operators; `-` negates. All conditions must hold. Text that only looks like an operator
 * (`has:fun`, `re:you`) is searched for.
 */
export function parseStatusQuery(q: string): Clause[] {
  const clauses: Clause[] = []
  let words = 0
  for (const match of q
    .slice(0, MAX_LENGTH)
    .replace(/[“”„«»]/g, '"')
    .matchAll(TERM)) {
    const [, sign, operator, quoted, value, phrase, term] = match
    const not = sign === '-'
    const given = (quoted ?? value ?? '').trim()
    const operation = operator === undefined ? null : operationOf(operator.toLowerCase(), given)
    if (operation) clauses.push({ not, ...operation })
    else {
      const text = operator === undefined ? (phrase ?? term ?? '') : `${operator} ${given}`
      const searched = tokenizeQuery(text, MAX_WORDS - words)
      words += searched.length
      if (searched.length > 0) clauses.push({ not, kind: 'words', words: searched })
    }
    if (clauses.length >= MAX_CLAUSES) break
  }
  return clauses
}

type Operation = Clause extends infer C ? (C extends Clause ? Omit<C, 'not'> : never) : never

const HAS = new Set(['media', 'poll', 'quote', 'embed', 'link', 'image', 'video', 'audio'])
const IS = new Set(['reply', 'sensitive'])

function operationOf(operator: string, value: string): Operation | null {
  const folded = value.toLowerCase()
  switch (operator) {
    case 'has':
      return HAS.has(folded) ? { kind: 'fact', lexeme: fact.has(folded) } : null
    case 'is':
      return IS.has(folded) ? { kind: 'fact', lexeme: fact.is(folded) } : null
    case 'language':
      return /^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/.test(folded) ? { kind: 'fact', lexeme: fact.language(folded) } : null
    case 'from':
      return value === '' ? null : { kind: 'from', handle: value }
    case 'in':
      return folded === 'library' || folded === 'public' || folded === 'all' ? { kind: 'in', where: folded } : null
    case 'before':
    case 'after':
    case 'during':
      return isDay(value) || parseInstant(value) ? { kind: 'date', operator, date: value } : null
    default:
      return null
  }
}

/** Adjacent words, as the text of a `tsquery`. */
export function phraseOf(words: readonly Word[]): string {
  return words.reduce((joined, { word, at }, i) => {
    const before = words[i - 1]
    return before ? `${joined} <${at - before.at}> '${word}'` : `'${word}'`
  }, '')
}
