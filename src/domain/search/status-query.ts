// What people may write to find posts: rules as in Mastodon.

import { tokenizeQuery, type Word } from '../../lib/text/words.ts'
import { fact } from './status-index.ts'

/** One thing that is asked of a post; `not`: that it is not so. */
export type Clause = { not: boolean } & (
  | { kind: 'words'; words: readonly Word[] }
  | { kind: 'fact'; lexeme: string }
  | { kind: 'from'; handle: string }
  | { kind: 'date'; operator: 'before' | 'after' | 'during'; day: string }
  | { kind: 'in'; where: 'library' | 'public' | 'all' }
)

/** What stands behind is not looked at. */
const LONGEST = 2048
const MOST_CLAUSES = 32
const MOST_WORDS = 64

const TERM = /([+-]?)(?:(has|is|language|from|before|after|during|in):(?:"([^"]*)"|(\S+))|"([^"]*)"?|(\S+))/giu

/**
 * Reads a query: words, "phrases", and operators; with `-` in front, what is not to be. Everything is asked for at once. What
 * only looks like an operator (`has:fun`, `re:you`) is words.
 */
export function parseStatusQuery(q: string): Clause[] {
  const clauses: Clause[] = []
  let words = 0
  for (const match of q
    .slice(0, LONGEST)
    .replace(/[“”„«»]/g, '"')
    .matchAll(TERM)) {
    const [, sign, operator, quoted, value, phrase, term] = match
    const not = sign === '-'
    const given = (quoted ?? value ?? '').trim()
    const operation = operator === undefined ? null : operationOf(operator.toLowerCase(), given)
    if (operation) clauses.push({ not, ...operation })
    else {
      const text = operator === undefined ? (phrase ?? term ?? '') : `${operator} ${given}`
      const sought = tokenizeQuery(text, MOST_WORDS - words)
      words += sought.length
      if (sought.length > 0) clauses.push({ not, kind: 'words', words: sought })
    }
    if (clauses.length >= MOST_CLAUSES) break
  }
  return clauses
}

type Operation = Clause extends infer C ? (C extends Clause ? Omit<C, 'not'> : never) : never

const HAS = new Set(['media', 'poll', 'embed', 'link', 'image', 'video', 'audio'])
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
      return isDay(value) ? { kind: 'date', operator, day: value } : null
    default:
      return null
  }
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** Words that stand one after the other, as PostgreSQL asks for them. */
export function phraseOf(words: readonly Word[]): string {
  return words.reduce((joined, { word, at }, i) => {
    const before = words[i - 1]
    return before ? `${joined} <${at - before.at}> '${word}'` : `'${word}'`
  }, '')
}
