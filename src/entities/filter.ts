import Type, { type Static } from 'typebox'
import type { FilterMatch } from '../domain/filters/active.ts'
import type { KeywordFilter } from '../domain/filters/filters-v1.ts'
import type { FilterRow } from '../domain/filters/filters.ts'
import { FILTER_ACTIONS, FILTER_CONTEXTS } from '../domain/filters/rules.ts'
import { DateTime, Id, nullable } from './schema.ts'

export const FilterContextSchema = Type.Enum([...FILTER_CONTEXTS])
export const FilterActionSchema = Type.Enum([...FILTER_ACTIONS])

/** https://docs.joinmastodon.org/entities/FilterKeyword/ */
export const FilterKeyword = Type.Object(
  { id: Id, keyword: Type.String(), whole_word: Type.Boolean() },
  { $id: 'FilterKeyword' },
)

/** https://docs.joinmastodon.org/entities/FilterStatus/ */
export const FilterStatus = Type.Object({ id: Id, status_id: Id }, { $id: 'FilterStatus' })

/** https://docs.joinmastodon.org/entities/Filter/. A FilterResult leaves out keywords and statuses. */
export const Filter = Type.Object(
  {
    id: Id,
    title: Type.String(),
    context: Type.Array(FilterContextSchema),
    expires_at: nullable(DateTime),
    filter_action: FilterActionSchema,
    keywords: Type.Optional(Type.Array(FilterKeyword)),
    statuses: Type.Optional(Type.Array(FilterStatus)),
  },
  { $id: 'Filter' },
)

/** https://docs.joinmastodon.org/entities/FilterResult/ */
export const FilterResult = Type.Object(
  {
    filter: Filter,
    keyword_matches: nullable(Type.Array(Type.String())),
    status_matches: nullable(Type.Array(Id)),
  },
  { $id: 'FilterResult' },
)

export type FilterResult = Static<typeof FilterResult>

/** https://docs.joinmastodon.org/entities/V1_Filter/ */
export const V1Filter = Type.Object(
  {
    id: Id,
    phrase: Type.String(),
    context: Type.Array(FilterContextSchema),
    expires_at: nullable(DateTime),
    irreversible: Type.Boolean(),
    whole_word: Type.Boolean(),
  },
  { $id: 'V1_Filter' },
)

const presentHead = (row: FilterRow): Static<typeof Filter> => ({
  id: row.id,
  title: row.title,
  context: row.context,
  expires_at: row.expires_at?.toISOString() ?? null,
  filter_action: row.action,
})

export const presentFilter = (row: FilterRow): Static<typeof Filter> => ({
  ...presentHead(row),
  keywords: row.keywords,
  statuses: row.statuses,
})

export const presentFilterMatch = ({ filter, keywords, statusIds }: FilterMatch): FilterResult => ({
  filter: presentHead(filter),
  keyword_matches: keywords.length > 0 ? keywords : null,
  status_matches: statusIds.length > 0 ? statusIds : null,
})

export const presentKeywordFilter = ({ keyword, filter }: KeywordFilter): Static<typeof V1Filter> => ({
  id: keyword.id,
  phrase: keyword.keyword,
  context: filter.context,
  expires_at: filter.expires_at?.toISOString() ?? null,
  irreversible: filter.action === 'hide',
  whole_word: keyword.whole_word,
})
