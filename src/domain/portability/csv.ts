import type * as csvParse from 'csv-parse/sync'
import type * as csvStringify from 'csv-stringify/sync'
import type { Context } from '../../context.ts'
import { lazyRequire } from '../../lib/lazy-require.ts'
import type { ExportedFollow } from '../relationships/exports.ts'
import { fullHandle } from '../server/addresses.ts'

export const csvReader = lazyRequire<typeof csvParse>('csv-parse/sync')
const writer = lazyRequire<typeof csvStringify>('csv-stringify/sync')

/** `escape_formulas` puts an apostrophe before these texts, so that a spreadsheet does not run them as formulas. */
const ESCAPED_FORMULA = /^'[=+\-@\t\r]/

/** RFC 4180, as Mastodon writes it. Formulas are escaped. */
export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  writer().stringify(rows as string[][], { escape_formulas: true, record_delimiter: '\n' })

/** The rows of a list of followed accounts, under its header. */
export const followRows = (ctx: Context, follows: readonly ExportedFollow[]): string[][] => [
  ['Account address', 'Show boosts', 'Notify on new posts', 'Languages'],
  ...follows.map((follow) => [
    fullHandle(ctx, follow),
    String(follow.show_reblogs),
    String(follow.notify),
    (follow.languages ?? []).join(', '),
  ]),
]

/** Trims texts and skips empty rows. Null for malformed CSV, such as a quoted text that does not end. */
export function parseCsv(text: string): string[][] | null {
  try {
    const rows = csvReader().parse(text, {
      relax_column_count: true,
      relax_quotes: true,
      record_delimiter: ['\r\n', '\n', '\r'],
    })
    return rows.map((row) => row.map(cleanCell)).filter((row) => row.some((value) => value !== ''))
  } catch {
    return null
  }
}

/** Trims it, undoes the escaping of a formula, and removes NUL, which PostgreSQL refuses. */
export const cleanCell = (raw: string): string => {
  const text = raw.replaceAll('\0', '').trim()
  return ESCAPED_FORMULA.test(text) ? text.slice(1) : text
}
