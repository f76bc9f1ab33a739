import type { Context } from '../context.ts'
import { sql, type Sql } from '../db/sql.ts'
import { compiledFilters, type CompiledFilters, isLeftOut, matchFilters } from '../domain/filters/active.ts'
import { type FilterResult, presentFilterMatch } from './filter.ts'

export type FilterFacts = {
  /** Null when the viewer never had filters. */
  filters_version: string | null
  /** Absent when no filter matches. */
  filtered?: FilterResult[]
  /** Whether irreversible filters remove the status from the viewer's home timeline. */
  left_out?: boolean
}

export const filterFlags = (me: Sql): Sql =>
  sql`(select fv.version from filter_versions fv where fv.account_id = ${me}) as filters_version`

type Filterable = FilterFacts & { status_id: string; account_id: string; reblog_of_id: string | null }

/** `textOf` returns the text of a status. Boosts match by the boosted status. Filters never match a viewer's own statuses. */
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
    applyFiltersOf(viewerId, filters, viewers.get(viewerId) ?? [], textOf)
}

function applyFiltersOf(
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
