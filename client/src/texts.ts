// The texts of the message catalogue in the language of the document.
import type { VNode, ComponentChildren } from 'preact'
import { h, Fragment } from 'preact'
import { colonOf } from '../../src/messages/colon.ts'
import type { ClientLaterTexts } from '../../src/messages/en/client/later.ts'
import type { ClientTexts } from '../../src/messages/en/client/texts.ts'

const loaders = import.meta.glob<Record<string, ClientTexts>>('../../src/messages/*/client/texts.ts')
const laterLoaders = import.meta.glob<Record<string, ClientLaterTexts>>('../../src/messages/*/client/later.ts')

/** A language of the catalogue: the server writes it into the shell. */
export const language = document.documentElement.lang || 'en'

/** Between a label and its value. */
export const colon = colonOf(language)

const isRightToLeft = document.documentElement.dir === 'rtl'

/** Isolated in right-to-left languages, where the first character of a handle or hashtag would stand at the wrong end. */
export const isolate = (text: string): string => (isRightToLeft ? `\u2068${text}\u2069` : text)

/** Set before the first screen, without the areas of `later.ts`. Components read it as `texts.area.key`. */
export let texts: ClientTexts & ClientLaterTexts

export async function loadTexts(): Promise<void> {
  texts = (await loadFrom(loaders, 'texts')) as ClientTexts & ClientLaterTexts
}

let later: Promise<void> | undefined

/** For code that is loaded on demand: `lazy` calls it. */
export function loadLaterTexts(): Promise<void> {
  later ??= loadFrom(laterLoaders, 'later').then((loaded) => void Object.assign(texts, loaded))
  // The next one tries again.
  later.catch(() => (later = undefined))
  return later
}

type Loaders<T> = Record<string, () => Promise<Record<string, T>>>

async function loadFrom<T>(files: Loaders<T>, name: string): Promise<T> {
  const load =
    files[`../../src/messages/${language}/client/${name}.ts`] ?? files[`../../src/messages/en/client/${name}.ts`]
  const [loaded] = Object.values((await load?.()) ?? {})
  if (!loaded) throw new Error('The texts are missing')
  return loaded
}

/** Replaces `{name}` in a text by markup. */
export function fill(text: string, values: Readonly<Record<string, ComponentChildren>>): VNode {
  const parts = text.split(/\{(\w+)\}/)
  return h(Fragment, null, ...parts.map((part, index) => (index % 2 === 0 ? part : values[part])))
}

const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
const plain = new Intl.NumberFormat(language)

/** `1.2K` */
export const shortNumber = (number: number): string => compact.format(number)
/** `1,234` */
export const fullNumber = (number: number): string => plain.format(number)

const percent = new Intl.NumberFormat(language, { style: 'percent' })

/** `45%`, as the language writes it */
export const percentText = (number: number): string => percent.format(number / 100)

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]
const relative = new Intl.RelativeTimeFormat(language, { style: 'narrow', numeric: 'auto' })
const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })

const WEEK = 604_800_000
const dayOfYear = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' })

/** `5 min ago`, and the day of what is older than a week: `Nov 3`, in another year `Nov 3, 2025` */
export function ageText(date: Date, now: number): string {
  if (now - date.getTime() < WEEK) return relativeTime(date, now)
  return (date.getFullYear() === new Date(now).getFullYear() ? dayOfYear : day).format(date)
}

/** `5 min ago`, `in 3 days` */
export function relativeTime(date: Date, now = Date.now()): string {
  const seconds = (date.getTime() - now) / 1000
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  return relative.format(Math.trunc(seconds / length), unit)
}

/** `30 minutes`, `6 hours`, `3 days` */
export function durationText(seconds: number): string {
  const [unit, length] = UNITS.slice(3).find(([, size]) => seconds % size === 0) ?? ['second', 1]
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / length)
}

/** `Nov 20, 2026, 2:03 PM` in the reader's time zone */
export const fullTime = (date: Date): string => moment.format(date)
/** `Nov 20, 2026` */
export const fullDay = (date: Date): string => day.format(date)
