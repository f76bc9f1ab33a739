import type { FastifyRequest } from 'fastify'
import { LANGUAGES } from '../domain/server/languages.ts'
import { languageFor } from '../http/language.ts'
import { isoDay } from '../lib/dates.ts'
import { html, type Html, type HtmlValue } from '../lib/html.ts'
import { languageNameFrom } from '../lib/text/language-name.ts'
import { textsIn, type Texts } from '../messages/pages.ts'
import { groupedNumber } from '../messages/plural.ts'

/** In the user's language once their session was read, otherwise as Accept-Language says. */
export const textsFor = (request: FastifyRequest): Texts => textsIn(languageFor(request))

export function fillText(text: string, values: Readonly<Record<string, HtmlValue>>): Html {
  const parts = text.split(/\{(\w+)\}/)
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : values[part]))}`
}

/** For documents that are always in English, such as feeds. */
export const english: Texts = textsIn('en')

// English dates have the day first, as those of most languages here.
const tagOf = ({ language }: Texts): string => (language === 'en' ? 'en-GB' : language)

const formats = new Map<string, Intl.DateTimeFormat>()

function formatDate(t: Texts, date: Date, options: Intl.DateTimeFormatOptions): string {
  const key = `${t.language} ${JSON.stringify(options)}`
  let format = formats.get(key)
  if (!format) formats.set(key, (format = new Intl.DateTimeFormat(tagOf(t), { ...options, timeZone: 'UTC' })))
  return format.format(date)
}

/** `4 Oct 2026` */
export const dayText = (t: Texts, date: Date): string => formatDate(t, date, { dateStyle: 'medium' })

/** `20 November 2026 at 14:03 UTC` */
export const longDate = (t: Texts, date: Date): string =>
  `${formatDate(t, date, { dateStyle: 'long', timeStyle: 'short' })} UTC`

/** `4 Oct 2026`, in a `<time>` element */
export const dayOf = (t: Texts, date: Date): Html => html`<time datetime="${isoDay(date)}">${dayText(t, date)}</time>`

/** `4 Oct 2026, 12:34 UTC`, in a `<time>` element */
export const momentOf = (t: Texts, date: Date): Html =>
  html`<time datetime="${date.toISOString()}">${formatDate(t, date, { dateStyle: 'medium', timeStyle: 'short' })} UTC</time>`

export const numberText = (t: Texts, number: number): string => groupedNumber(t.language, number)

/** `12.3 MB` */
export function sizeText(t: Texts, bytes: number): string {
  const format = (value: number, unit: string, digits: number): string =>
    new Intl.NumberFormat(t.language, {
      style: 'unit',
      unit,
      maximumFractionDigits: digits,
      unitDisplay: 'short',
    }).format(value)
  if (bytes < 1024 * 1024) return format(Math.max(1, Math.round(bytes / 1024)), 'kilobyte', 0)
  return format(bytes / 1024 / 1024, 'megabyte', 1)
}

const languageNames = new Map<string, Intl.DisplayNames>()

/** In the language of the page, or in English. A code without a name stays. */
export function languageName({ language }: { language: string }, code: string): string {
  let names = languageNames.get(language)
  if (!names)
    languageNames.set(language, (names = new Intl.DisplayNames([language], { type: 'language', fallback: 'none' })))
  const inEnglish = LANGUAGES.find((one) => one.code === code)?.name ?? code
  try {
    return languageNameFrom(names, code) ?? inEnglish
  } catch {
    // Not in the form of a code.
    return inEnglish
  }
}

/** All languages of posts, sorted by their names in the language of the page. */
export const languageChoices = (t: Texts): { value: string; label: string }[] =>
  LANGUAGES.map(({ code }) => ({ value: code, label: languageName(t, code) })).toSorted((a, b) =>
    a.label.localeCompare(b.label, t.language),
  )
