import type { Context } from '../context.ts'
import { sql, type Sql } from '../db/sql.ts'
import { compiledFilters, type CompiledFilters, isLeftOut, matchFilters } from '../domain/filters/active.ts'
import { type FilterResult, presentFilterMatch } from './filter.ts'

/** What a viewer's filters make of a status. */
export type FilterFacts = {
  /** Null: the viewer never had filters. */
  filters_version: string | null
  /** The `filtered` member; absent: nothing. */
  filtered?: FilterResult[]
  /** Kept out of the viewer's home timeline. */
  left_out?: boolean
}

/** The column of FilterFacts, for `me`. */
export const filterFlags = (me: Sql): Sql =>
  sql`(select fv.version from filter_versions fv where fv.account_id = ${me}) as filters_version`

type Filterable = FilterFacts & { status_id: string; account_id: string; reblog_of_id: string | null }

/**
 * Holds statuses against the filters of those who are to see them, and notes in the facts what came of it. `textOf` gives what of
 * a status is looked at. Of a boost, that is what it boosts. One's own posts are never filtered.
 */
export async function applyFilters(
  ctx: Context,
  viewers: ReadonlyMap<string, readonly Filterable[]>,
  textOf: (statusId: string) => string | undefined,
): Promise<void> {
  const versions = new Map<string, string>()
  for (const [viewerId, [first]] of viewers)
    if (first && first.filters_version !== null) versions.set(viewerId, first.filters_version)
  if (versions.size === 0) return
  for (const [viewerId, filters] of await compiledFilters(ctx, versions))
    applyOnes(viewerId, filters, viewers.get(viewerId) ?? [], textOf)
}

function applyOnes(
  viewerId: string,
  filters: CompiledFilters,
  facts: readonly Filterable[],
  textOf: (statusId: string) => string | undefined,
): void {
  if (filters.filters.length === 0) return
  const authors = new Map(facts.map(({ status_id, account_id }) => [status_id, account_id]))
  for (const fact of facts) {
    const originalId = fact.reblog_of_id ?? fact.status_id
    const text = textOf(originalId)
    if (text === undefined || authors.get(originalId) === viewerId) continue
    const matches = matchFilters(
      filters,
      fact.reblog_of_id === null ? [originalId] : [fact.status_id, originalId],
      text,
    )
    if (matches.length === 0) continue
    fact.filtered = matches.map(presentFilterMatch)
    fact.left_out = isLeftOut(matches, 'home')
  }
}
