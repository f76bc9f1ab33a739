// The operators of the server's status search, offered for the word at the caret.
import { baseOf, languageName } from '../statuses/language-name.ts'
import { language, texts } from '../texts.ts'

/** A part of the query that a suggestion replaces. */
export type QueryToken = { start: number; end: number; text: string }

/** `text` replaces the token; one that ends with a colon asks for a value. */
export type OperatorSuggestion = { text: string; hint: string }

export const OPERATORS = ['from', 'has', 'is', 'language', 'before', 'after', 'during', 'in'] as const

const HAS = ['media', 'image', 'video', 'audio', 'poll', 'quote', 'link', 'embed'] as const
const IS = ['reply', 'sensitive'] as const
const IN = ['library', 'public', 'all'] as const

/** Offered besides the reader's languages. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'ja', 'zh', 'ko', 'ar', 'ru', 'tr']

const LIMIT = 8

/** The word around the caret. */
export function tokenAt(query: string, caret: number): QueryToken {
  const start = query.lastIndexOf(' ', caret - 1) + 1
  const space = query.indexOf(' ', caret)
  const end = space < 0 ? query.length : space
  return { start, end, text: query.slice(start, end) }
}

export function replaceToken(query: string, token: QueryToken, text: string): { query: string; caret: number } {
  const inserted = text.endsWith(':') ? text : `${text} `
  const before = `${query.slice(0, token.start)}${inserted}`
  return { query: before + query.slice(token.end).trimStart(), caret: before.length }
}

/** The account that `from:` asks for as far as it is typed; null for other words. */
export const typedAuthor = ({ text }: QueryToken): string | null => /^-?from:@?(.*)$/i.exec(text)?.[1] ?? null

export function suggestOperators({ text }: QueryToken): OperatorSuggestion[] {
  const sign = /^[+-]/.exec(text)?.[0] ?? ''
  const [name = '', value] = text.slice(sign.length).toLowerCase().split(':')
  const prefixed = ({ text: plain, hint }: OperatorSuggestion) => ({ text: sign + plain, hint })
  if (value !== undefined)
    return valuesOf(name)
      .filter((each) => each.text.startsWith(`${name}:${value}`) && each.text !== `${name}:${value}`)
      .slice(0, LIMIT)
      .map(prefixed)
  if (name === '') return []
  return OPERATORS.filter((operator) => operator.startsWith(name))
    .map((operator) => ({ text: `${operator}:`, hint: texts.search[`operator_${operator}`] }))
    .map(prefixed)
}

function valuesOf(operator: string): OperatorSuggestion[] {
  const t = texts.search
  switch (operator) {
    case 'from':
      return [{ text: 'from:me', hint: t.from_me }]
    case 'has':
      return HAS.map((value) => ({ text: `has:${value}`, hint: t[`has_${value}`] }))
    case 'is':
      return IS.map((value) => ({ text: `is:${value}`, hint: t[`is_${value}`] }))
    case 'in':
      return IN.map((value) => ({ text: `in:${value}`, hint: t[`in_${value}`] }))
    case 'language':
      return languages().map((code) => ({ text: `language:${code}`, hint: languageName(code) }))
    case 'before':
    case 'after':
    case 'during':
      return days().map(({ day, hint }) => ({ text: `${operator}:${day}`, hint }))
    default:
      return []
  }
}

const languages = (): string[] => [
  ...new Set([language, ...navigator.languages, ...LANGUAGES].map((tag) => baseOf(tag).toLowerCase())),
]

function days(): { day: string; hint: string }[] {
  const now = new Date()
  const t = texts.search
  const at = (years: number, months: number, date: number): string => {
    const day = new Date(now.getFullYear() - years, now.getMonth() - months, now.getDate() - date)
    return [day.getFullYear(), pad(day.getMonth() + 1), pad(day.getDate())].join('-')
  }
  return [
    { day: at(0, 0, 0), hint: t.today },
    { day: at(0, 0, 1), hint: t.yesterday },
    { day: at(0, 0, 7), hint: t.week_ago },
    { day: at(0, 1, 0), hint: t.month_ago },
    { day: at(1, 0, 0), hint: t.year_ago },
  ]
}

const pad = (number: number): string => String(number).padStart(2, '0')
