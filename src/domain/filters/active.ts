import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { perServer, type Context } from '../../context.ts'
import { createMatcher, type Matcher } from '../../lib/text/matcher.ts'
import { listFilters, type FilterRow } from './filters.ts'
import { phraseOf } from './text.ts'

type CompiledFilter = FilterRow & {
  /** The keywords with their places among the phrases of the matcher. */
  phrases: { keyword: string; phrase: number }[]
  statusIds: ReadonlySet<string>
}

/** The filters of an account, ready to be held against posts. */
export type CompiledFilters = {
  /** Finds the keywords of all of them in one pass over a text. */
  matcher: Matcher
  statusIds: ReadonlySet<string>
  filters: readonly CompiledFilter[]
}

/** Memory for compiled filters of all accounts together, about, in bytes. */
const MAX_COMPILED = 32 * 1024 * 1024

/** Why a post is filtered: keywords as they stand in the filter, ids of the post or of what it boosts. */
export type FilterMatch = { filter: FilterRow; keywords: string[]; statusIds: string[] }

/**
 * Compiled filters by account. An entry is good for one version of them (filter_versions), which readers learn from the
 * statement they make anyway: a change acts on the very next request, in every process, and whoever has no filters asks nothing.
 */
const compiled = perServer((ctx) => {
  const cache = new LRUCache<string, { version: string; filters: CompiledFilters }>({
    maxSize: MAX_COMPILED,
    sizeCalculation: ({ filters }) => sizeOf(filters),
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
    // A thousand long keywords take some milliseconds: others get their turn before the next account's.
    if (filters.matcher.size > 100_000) await setImmediate()
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
  { matcher, statusIds, filters }: CompiledFilters,
  ids: readonly string[],
  text: string,
): FilterMatch[] {
  const found = matcher.find(text)
  if (found.size === 0 && !ids.some((id) => statusIds.has(id))) return []
  const now = Date.now()
  return filters.flatMap((filter) => {
    if (filter.expires_at !== null && filter.expires_at.getTime() <= now) return []
    const keywords = filter.phrases.filter(({ phrase }) => found.has(phrase)).map(({ keyword }) => keyword)
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

function compile(rows: readonly FilterRow[]): CompiledFilters {
  const phrases = new Map<string, number>()
  const placeOf = (phrase: string): number => {
    if (!phrases.has(phrase)) phrases.set(phrase, phrases.size)
    return phrases.get(phrase) as number
  }
  const filters = rows.map((row) => ({
    ...row,
    phrases: row.keywords.map(({ keyword, whole_word }) => ({
      keyword,
      phrase: placeOf(phraseOf(keyword, whole_word)),
    })),
    statusIds: new Set(row.statuses.map(({ status_id }) => status_id)),
  }))
  return {
    matcher: createMatcher([...phrases.keys()]),
    statusIds: new Set(filters.flatMap(({ statuses }) => statuses.map(({ status_id }) => status_id))),
    filters,
  }
}

/** About how many bytes filters take while they are cached. */
const sizeOf = ({ matcher, filters }: CompiledFilters): number =>
  filters.reduce(
    (size, { keywords, statusIds }) =>
      keywords.reduce((sum, { keyword }) => sum + 200 + 2 * keyword.length, size + 500 + 200 * statusIds.size),
    matcher.size,
  ) + 500
