import type { Context } from '../context.ts'
import { type CompiledFilters, loadFilters, isLeftOut, matchFilters } from '../domain/filters/active.ts'
import type { StatusReader } from '../domain/statuses/reader.ts'
import { type FilterResult, presentFilterMatch } from './filter.ts'

/** The effect of a viewer's filters on a status. `leftOut`: irreversible filters remove it from the viewer's home timeline. */
export type Filtered = { results: FilterResult[]; leftOut: boolean }

/** By status; absent when no filter matches. `filters`: those of the viewer; null for anonymous viewers. */
export type FilteredStatuses = { filters: CompiledFilters | null; statuses: ReadonlyMap<string, Filtered> }

const NONE: ReadonlyMap<string, Filtered> = new Map()
const ANONYMOUS: FilteredStatuses = { filters: null, statuses: NONE }

/**
 * By viewer, for all statuses of the reader. `textOf` returns the text of a status. Boosts match by the boosted status. Filters
 * never match a viewer's own statuses. One statement, or none when the filters are cached.
 */
export async function applyFilters(
  ctx: Context,
  viewers: readonly string[],
  reader: StatusReader,
  textOf: (statusId: string) => string | undefined,
): Promise<(viewerId: string) => FilteredStatuses> {
  const byViewer = new Map<string, FilteredStatuses>()
  for (const [viewerId, filters] of await loadFilters(ctx, viewers)) {
    if (filters.filters.length === 0) {
      byViewer.set(viewerId, { filters, statuses: NONE })
      continue
    }
    const filtered = new Map<string, Filtered>()
    for (const status of reader.all()) {
      const { id } = status
      const original = reader.originalOf(status)
      if (!original || original.account_id === viewerId) continue
      const text = textOf(original.id)
      if (text === undefined) continue
      const matches = matchFilters(filters, original.id === id ? [id] : [id, original.id], text)
      if (matches.length > 0)
        filtered.set(id, { results: matches.map(presentFilterMatch), leftOut: isLeftOut(matches, 'home') })
    }
    byViewer.set(viewerId, { filters, statuses: filtered })
  }
  return (viewerId) => byViewer.get(viewerId) ?? ANONYMOUS
}
