import { LRUCache } from 'lru-cache'
import { perServer, type Context } from '../../context.ts'
import { listFilters, type FilterRow } from './filters.ts'
import type { KeywordRow } from './keywords.ts'
import { normalise } from './text.ts'

type CompiledFilter = FilterRow & {
  any: RegExp | null
  each: { keyword: string; pattern: RegExp }[]
  statusIds: ReadonlySet<string>
}

/** Somebody's filters, ready to be held against posts. */
export type CompiledFilters = {
  /** Matches wherever any keyword of any of them does: most posts are looked at no further. */
  any: RegExp | null
  statusIds: ReadonlySet<string>
  filters: readonly CompiledFilter[]
}

/** Why a post is filtered: keywords as they stand in the filter, ids of the post or of what it boosts. */
export type FilterMatch = { filter: FilterRow; keywords: string[]; statusIds: string[] }

/**
 * Compiled filters by account. An entry is good for one version of them (filter_versions), which readers learn from the
 * statement they make anyway: a change acts on the very next request, in every process, and whoever has no filters asks nothing.
 */
const compiled = perServer((ctx) => {
  const cache = new LRUCache<string, { version: string; filters: CompiledFilters }>({
    maxSize: 300_000,
    sizeCalculation: ({ filters }) =>
      filters.filters.reduce((size, { each, statusIds }) => size + 1 + each.length + statusIds.size, 10),
  })
  ctx.subscribe((message) => {
    if (message.type === 'filters.changed') cache.delete(message.accountId)
  })
  return cache
})

/** The filters of accounts, given the versions they are to have: one statement for all that are not known. */
export async function compiledFilters(
  ctx: Context,
  versions: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, CompiledFilters>> {
  const cache = compiled(ctx)
  const found = new Map<string, CompiledFilters>()
  const missing: string[] = []
  for (const [accountId, version] of versions) {
    const entry = cache.get(accountId)
    if (entry?.version === version) found.set(accountId, entry.filters)
    else missing.push(accountId)
  }
  if (missing.length === 0) return found
  const rows = Map.groupBy(await listFilters(ctx, missing), (row) => row.account_id)
  for (const accountId of missing) {
    const filters = compile(rows.get(accountId) ?? [])
    found.set(accountId, filters)
    // Kept under the version that was seen before reading: a change meanwhile has another, and is read by the next.
    cache.set(accountId, { version: versions.get(accountId) as string, filters })
  }
  return found
}

/**
 * Which filters a post meets at this moment. `ids`: the post, and what it boosts; `text`: see matchedText. Filters count
 * wherever the post is shown: clients compare their contexts with the place.
 */
export function matchFilters(
  { any, statusIds, filters }: CompiledFilters,
  ids: readonly string[],
  text: string,
): FilterMatch[] {
  if (!any?.test(text) && !ids.some((id) => statusIds.has(id))) return []
  const now = Date.now()
  return filters.flatMap((filter) => {
    if (filter.expires_at !== null && filter.expires_at.getTime() <= now) return []
    const keywords = filter.any?.test(text)
      ? filter.each.filter(({ pattern }) => pattern.test(text)).map(({ keyword }) => keyword)
      : []
    const matched = ids.filter((id) => filter.statusIds.has(id))
    return keywords.length > 0 || matched.length > 0 ? [{ filter, keywords, statusIds: matched }] : []
  })
}

/**
 * Whether the server itself leaves a post out of `home` or `notifications`. It does so for filters that were made irreversible
 * over the first version of the API, whose clients know of no `filtered`; all others only show there, for clients to act on.
 */
export const isLeftOut = (matches: readonly FilterMatch[], context: 'home' | 'notifications'): boolean =>
  matches.some(({ filter }) => filter.irreversible && filter.context.includes(context))

/** Makes filters ready. For accounts whose filters are needed often: compiledFilters. */
export function compile(rows: readonly FilterRow[]): CompiledFilters {
  return {
    any: patternOf(rows.flatMap(({ keywords }) => keywords)),
    statusIds: new Set(rows.flatMap(({ statuses }) => statuses.map(({ status_id }) => status_id))),
    filters: rows.map((row) => ({
      ...row,
      any: patternOf(row.keywords),
      each: row.keywords.map((keyword) => ({ keyword: keyword.keyword, pattern: patternOf([keyword]) as RegExp })),
      statusIds: new Set(row.statuses.map(({ status_id }) => status_id)),
    })),
  }
}

/** What JavaScript's own \b takes for part of a word is ASCII only. */
const WORD = String.raw`[\p{L}\p{M}\p{N}\p{Pc}]`
const BEGINS_WITH_WORD = new RegExp(`^${WORD}`, 'u')
const ENDS_WITH_WORD = new RegExp(`${WORD}$`, 'u')

/**
 * One pattern for any of some keywords; null for none. Keywords are taken literally, so matching takes time linear in the text.
 * As a whole word, one ends where words end on each side where it has a letter itself: `#cats` is found after anything, but not
 * in `#catsup`. Keywords alike in that stand together: as a plain list of alternatives a thousand are found as fast as ten.
 */
function patternOf(keywords: readonly Pick<KeywordRow, 'keyword' | 'whole_word'>[]): RegExp | null {
  if (keywords.length === 0) return null
  const groups = new Map<string, string[]>()
  for (const { keyword, whole_word } of keywords) {
    const text = normalise(keyword)
    const before = whole_word && BEGINS_WITH_WORD.test(text) ? `(?<!${WORD})` : ''
    const after = whole_word && ENDS_WITH_WORD.test(text) ? `(?!${WORD})` : ''
    const alike = groups.get(`${before}|${after}`) ?? []
    groups.set(`${before}|${after}`, alike)
    alike.push(RegExp.escape(text))
  }
  const parts = [...groups].map(([sides, texts]) => sides.replace('|', () => `(?:${texts.join('|')})`))
  return new RegExp(parts.join('|'), 'iu')
}
