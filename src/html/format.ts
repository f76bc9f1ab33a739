import { html, type Html } from '../lib/html.ts'

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const minute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** A day, as `4 Oct 2026`. */
export const dayOf = (date: Date): Html =>
  html`<time datetime="${date.toISOString().slice(0, 10)}">${day.format(date)}</time>`

/** A moment, as `4 Oct 2026, 12:34 UTC`. */
export const momentOf = (date: Date): Html =>
  html`<time datetime="${date.toISOString()}">${minute.format(date)} UTC</time>`

/** Bytes in words: `12.3 MB`. */
export function sizeOf(bytes: number): string {
  if (bytes < 1024 * 1024) return `${Math.max(1, Math.round(bytes / 1024))} KB`
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
