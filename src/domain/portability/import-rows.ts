import { formatHandle, normaliseDomain, parseHandle } from '../../ap/handle.ts'
import type { Context } from '../../context.ts'
import type { Imports } from '../../db/schema.ts'
import { httpUrl } from '../../lib/http-url.ts'
import { Invalid } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { isLocalDomain } from '../server/addresses.ts'
import { parseCsv } from './csv.ts'
import { type PortableFilter, readFilters } from './filters.ts'

export const IMPORT_TYPES = [
  'following',
  'lists',
  'blocking',
  'muting',
  'domain_blocking',
  'bookmarks',
  'filters',
] as const satisfies readonly Imports['type'][]
export type ImportType = (typeof IMPORT_TYPES)[number]

/** `key` is the normalised handle, domain or address that the row names. */
export type ImportRow = {
  key: string
  /** The row as it was in the file, for the list of failed rows. */
  cells: string[]
  reblogs?: boolean
  notify?: boolean
  languages?: string[]
  notifications?: boolean
  list?: string
  filter?: PortableFilter
}

export const MAX_ROWS = 20_000
/** Title and keywords of a filter in the list of failed rows. */
const MAX_SHOWN = 10
export const MAX_BYTES = 5 * 1024 * 1024

/** The import type that a column's name shows. Some files have no header. */
const TYPES_BY_COLUMN: Record<string, ImportType> = {
  'show boosts': 'following',
  'notify on new posts': 'following',
  'hide notifications': 'muting',
  '#severity': 'domain_blocking',
  '#domain': 'domain_blocking',
  '#uri': 'bookmarks',
}
const HEADERS = new Set(['account address', '#account address', 'list name', ...Object.keys(TYPES_BY_COLUMN)])

/** Exports of blocks and mutes may look like one another: only their names tell what they list. */
const TYPES_BY_FILE_NAME: readonly [RegExp, ImportType][] = [
  [/domain_?blocks|blocked_domains/i, 'domain_blocking'],
  [/block(?:s|ed)/i, 'blocking'],
  [/mute(?:s|d)/i, 'muting'],
  [/follow(?:s|ing)/i, 'following'],
  [/bookmarks/i, 'bookmarks'],
  [/lists/i, 'lists'],
  [/filters/i, 'filters'],
]

/** Null when the name does not tell. */
export const typeInFileName = (name: string): ImportType | null =>
  TYPES_BY_FILE_NAME.find(([words]) => words.test(name))?.[1] ?? null

/**
 * Skips duplicates; `unusable` has the rows that cannot be read. Throws Invalid for a file that is not a list of this
 * type, or too long.
 */
export function readImport(
  ctx: Context,
  type: ImportType,
  bytes: Uint8Array,
): { rows: ImportRow[]; unusable: string[][] } {
  const text = decode(bytes)
  if (type === 'filters') return readFilterRows(bytes)
  const lines = parseCsv(text)
  if (!lines) throw new Invalid(message('import_unclosed_quote'))
  const header = headerOf(lines)
  const found = header?.map((name) => TYPES_BY_COLUMN[name]).find((known) => known !== undefined)
  const expected = message(`list_${type}`)
  if (found && found !== type)
    throw new Invalid(message('import_other_list', { found: message(`list_${found}`), expected }))
  const body = header ? lines.slice(1) : lines
  if (body.length > MAX_ROWS) throw new Invalid(message('import_too_long', { count: MAX_ROWS }))
  const rows = new Map<string, ImportRow>()
  const unusable: string[][] = []
  for (const cells of body) {
    const row = READERS[type](ctx, cells, columnsOf(header))
    if (row) rows.set(`${row.list ?? ''}\n${row.key}`, row)
    else unusable.push(cells)
  }
  if (rows.size === 0) throw new Invalid(message('import_empty', { expected }))
  return { rows: [...rows.values()], unusable }
}

function readFilterRows(bytes: Uint8Array): { rows: ImportRow[]; unusable: string[][] } {
  const entries = readFilters(bytes) ?? []
  if (entries.length > MAX_ROWS) throw new Invalid(message('import_too_long', { count: MAX_ROWS }))
  const rows = entries.flatMap(({ names, filter }) =>
    filter ? [{ key: names.join('\n'), cells: names.slice(0, MAX_SHOWN), filter }] : [],
  )
  if (rows.length === 0) throw new Invalid(message('import_empty', { expected: message('list_filters') }))
  return { rows, unusable: entries.filter(({ filter }) => !filter).map(({ names }) => names.slice(0, MAX_SHOWN)) }
}

function decode(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // Refused below.
  }
  throw new Invalid(message('import_not_text'))
}

function headerOf(lines: readonly string[][]): string[] | null {
  const first = lines[0]?.map((name) => name.toLowerCase())
  return first?.some((name) => HEADERS.has(name)) ? first : null
}

/** The index of a column by its name, or by Mastodon's order if there is no header. */
type Columns = (name: string, otherwise: number) => number

const columnsOf =
  (header: string[] | null): Columns =>
  (name, otherwise) =>
    header ? header.indexOf(name) : otherwise

type Reader = (ctx: Context, cells: string[], columns: Columns) => ImportRow | null

const READERS: Record<Exclude<ImportType, 'filters'>, Reader> = {
  following(ctx, cells, column) {
    const key = handle(ctx, cells[Math.max(0, column('account address', 0))])
    const languages = (cells[column('languages', 3)] ?? '').split(/[\s,]+/).filter(Boolean)
    if (key === null) return null
    return {
      key,
      cells,
      ...withFlag('reblogs', cells[column('show boosts', 1)]),
      ...withFlag('notify', cells[column('notify on new posts', 2)]),
      ...(languages.length > 0 ? { languages } : {}),
    }
  },
  muting(ctx, cells, column) {
    const key = handle(ctx, cells[Math.max(0, column('account address', 0))])
    return key === null ? null : { key, cells, ...withFlag('notifications', cells[column('hide notifications', 1)]) }
  },
  blocking(ctx, cells, column) {
    const key = handle(ctx, cells[Math.max(0, column('account address', 0))])
    return key === null ? null : { key, cells }
  },
  lists(ctx, cells) {
    const [list = ''] = cells
    const key = handle(ctx, cells[1])
    return key && list !== '' ? { key, cells, list } : null
  },
  domain_blocking(_ctx, cells, column) {
    const domain = normaliseDomain(cells[Math.max(0, column('#domain', 0))] ?? '')
    // A bare word would also pass as a host name.
    return domain !== null && /[.:]/.test(domain) ? { key: domain, cells } : null
  },
  bookmarks(_ctx, cells, column) {
    const url = httpUrl(cells[Math.max(0, column('#uri', 0))] ?? '')
    return url ? { key: url.href, cells } : null
  },
}

function withFlag<Name extends string>(name: Name, text: string | undefined): { [N in Name]?: boolean } {
  if (!/^(true|false|1|0|yes|no)$/i.test(text ?? '')) return {}
  return { [name]: /^(true|1|yes)$/i.test(text as string) } as { [N in Name]?: boolean }
}

/** `user@domain` in lower case, with this server's domain for local accounts. Null for text that is no handle. */
function handle(ctx: Context, text: string | undefined): string | null {
  const parsed = parseHandle(text ?? '')
  // A bare word would also pass as a local handle.
  if (!parsed || parsed.domain === null) return null
  const domain = isLocalDomain(ctx, parsed.domain) ? ctx.config.localDomain : parsed.domain
  return formatHandle({ username: parsed.username, domain }).toLowerCase()
}
