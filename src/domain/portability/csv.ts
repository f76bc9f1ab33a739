// Comma-separated values as RFC 4180 has them, as Mastodon writes and reads them.

/** What spreadsheets take for the beginning of a formula; an apostrophe before it keeps it a text. */
const FORMULA = /^[=+\-@\t\r]/
const GUARDED = /^'[=+\-@\t\r]/

/** Rows as CSV. Texts that a spreadsheet would run as a formula are kept from it. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\n`).join('')
}

function cell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** CSV as rows of trimmed texts, without empty rows. Null when a quoted text does not end. */
export function parseCsv(text: string): string[][] | null {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  const end = text.length
  const finish = (): void => {
    if (row.some((value) => value !== '')) rows.push(row)
    row = []
  }
  while (at < end) {
    const next = text[at] === '"' ? quotedEnd(text, at) : plainEnd(text, at)
    if (next === null) return null
    const raw = text[at] === '"' ? text.slice(at + 1, next - 1).replaceAll('""', '"') : text.slice(at, next)
    row.push(clean(raw))
    // Whatever stands between a closing quote and the comma is nothing that anybody meant.
    at = plainEnd(text, next)
    if (text[at] === ',') {
      at++
      if (at === end) row.push('')
      continue
    }
    finish()
    at += text.startsWith('\r\n', at) ? 2 : 1
  }
  finish()
  return rows
}

const clean = (raw: string): string => {
  const text = raw.trim()
  return GUARDED.test(text) ? text.slice(1) : text
}

/** Where the text that begins with a quote at `from` ends, the closing quote included; null when it does not. */
function quotedEnd(text: string, from: number): number | null {
  for (let at = from + 1; ; at += 2) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return null
    if (text[quote + 1] !== '"') return quote + 1
    at = quote
  }
}

function plainEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== ',' && text[at] !== '\n' && text[at] !== '\r') at++
  return at
}
