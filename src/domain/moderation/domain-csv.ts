// Lists of domains: Mastodon's CSV of blocks and allows, and plain text with one domain per line.
import { normaliseDomain } from '../../ap/handle.ts'
import type { Context } from '../../context.ts'
import { cutText } from '../../lib/text/count.ts'
import { cleanCell, csvReader, writeCsv } from '../portability/csv.ts'
import { isLocalDomain } from '../server/addresses.ts'
import { BLOCK_SEVERITIES, type BlockDraft, type BlockSeverity, MAX_BLOCK_COMMENT } from './domain-blocks.ts'

const MAX_LIST_ROWS = 20_000
/** In bytes. */
export const MAX_LIST_BYTES = 2 * 1024 * 1024
/** Problems that are reported one by one. */
const MAX_PROBLEMS = 100

export type LineProblem = 'domain_invalid' | 'domain_own' | 'severity_unknown' | 'too_many'

export type DomainList = {
  drafts: BlockDraft[]
  /** The first of them. `text` is the beginning of the line. */
  problems: { line: number; text: string; problem: LineProblem }[]
  problemCount: number
}

/**
 * Reads a list. A header with `#domain` (or `domain`) names the columns; without one, the first column is the domain. Lines that
 * begin with `#` are comments. The first of several lines about a domain counts. Null for malformed CSV.
 */
export function parseDomainList(ctx: Context, text: string, severity: BlockSeverity = 'suspend'): DomainList | null {
  const lines = readLines(text)
  if (lines === null) return null
  const heads = headerOf(lines[0]?.values)
  const list: DomainList = { drafts: [], problems: [], problemCount: 0 }
  const seen = new Set<string>()
  const columns = heads ?? ['domain']
  for (const { line, values } of heads ? lines.slice(1) : lines) {
    const cell = (name: string): string => values[columns.indexOf(name)] ?? ''
    if (cell('domain') === '' || (cell('domain').startsWith('#') && values[0]?.startsWith('#'))) continue
    const found = seen.size >= MAX_LIST_ROWS ? 'too_many' : draftFrom(ctx, cell, severity)
    if (typeof found === 'string') report(list, line, values.join(','), found)
    else if (!seen.has(found.domain)) {
      seen.add(found.domain)
      list.drafts.push(found)
    }
  }
  return list
}

function report(list: DomainList, line: number, text: string, problem: LineProblem): void {
  list.problemCount++
  if (list.problems.length < MAX_PROBLEMS) list.problems.push({ line, text: text.slice(0, 80), problem })
}

function readLines(text: string): { line: number; values: string[] }[] | null {
  try {
    const rows = csvReader().parse(text.replace(/^\uFEFF/, ''), {
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
    }) as unknown as { record: string[]; info: { lines: number } }[]
    return rows.map(({ record, info }) => ({ line: info.lines, values: record.map(cleanCell) }))
  } catch {
    return null
  }
}

/** The names of the columns without `#`, or null when the first line is an entry. */
function headerOf(values: readonly string[] | undefined): string[] | null {
  const names = values?.map((value) => value.replace(/^#/, '').toLowerCase()) ?? []
  return names.includes('domain') ? names : null
}

const isTrue = (text: string): boolean => /^(true|1|yes|t|y)$/i.test(text)

function draftFrom(ctx: Context, cell: (name: string) => string, usual: BlockSeverity): BlockDraft | LineProblem {
  const domain = normaliseDomain(cell('domain').replace(/^@|^\*\./, ''))
  if (domain === null || !/[.:]/.test(domain)) return 'domain_invalid'
  if (isLocalDomain(ctx, domain)) return 'domain_own'
  const severity = cell('severity') === '' ? usual : severityOf(cell('severity'))
  if (severity === null) return 'severity_unknown'
  return {
    domain,
    severity,
    reject_media: isTrue(cell('reject_media')),
    reject_reports: isTrue(cell('reject_reports')),
    obfuscate: isTrue(cell('obfuscate')),
    public_comment: cutText(cell('public_comment'), MAX_BLOCK_COMMENT) || null,
    private_comment: null,
  }
}

/** Also accepts `limit` and `none`, as pages call two of the severities. */
function severityOf(text: string): BlockSeverity | null {
  const name = { limit: 'silence', none: 'noop' }[text.toLowerCase()] ?? text.toLowerCase()
  return BLOCK_SEVERITIES.find((severity) => severity === name) ?? null
}

export const writeBlocksCsv = (blocks: readonly BlockDraft[]): string =>
  writeCsv([
    ['#domain', '#severity', '#reject_media', '#reject_reports', '#public_comment', '#obfuscate'],
    ...blocks.map((block) => [
      block.domain,
      block.severity,
      String(block.reject_media),
      String(block.reject_reports),
      block.public_comment ?? '',
      String(block.obfuscate),
    ]),
  ])

export const writeAllowsCsv = (domains: readonly string[]): string =>
  writeCsv([['#domain'], ...domains.map((domain) => [domain])])
