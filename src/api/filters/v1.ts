// /api/v1/filters: one filter for each keyword, for older clients.
import Type from 'typebox'
import { changeFilters } from '../../actions/filters.ts'
import { listFilters } from '../../domain/filters/filters.ts'
import {
  createKeywordFilter,
  deleteKeywordFilter,
  getKeywordFilter,
  updateKeywordFilter,
} from '../../domain/filters/filters-v1.ts'
import { FilterContextSchema, presentKeywordFilter, V1Filter } from '../../entities/filter.ts'
import { Empty } from '../../entities/schema.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'

const deprecated = Date.UTC(2022, 10, 14) / 1000

const V1Params = {
  phrase: Type.Optional(Type.String()),
  context: Type.Optional(Type.Array(FilterContextSchema)),
  irreversible: Type.Optional(Type.Boolean()),
  whole_word: Type.Optional(Type.Boolean()),
  expires_in: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
}

export const getFiltersV1 = route({
  summary: 'All filtered keywords',
  scope: 'read:filters',
  deprecated,
  returns: Type.Array(V1Filter),
  async handle({ ctx, viewer }) {
    const filters = await listFilters(ctx, [viewer.accountId])
    return filters.flatMap((filter) => filter.keywords.map((keyword) => presentKeywordFilter({ keyword, filter })))
  },
})

export const addFilterV1 = route({
  summary: 'Filter a keyword',
  scope: 'write:filters',
  deprecated,
  params: V1Params,
  returns: V1Filter,
  handle: async ({ ctx, viewer, params }) =>
    presentKeywordFilter(
      await changeFilters(ctx, viewer.accountId, (tx) => createKeywordFilter(tx, viewer.accountId, params)),
    ),
})

export const getFilterV1 = route({
  summary: 'One filtered keyword',
  scope: 'read:filters',
  deprecated,
  params: { id: IdParam },
  returns: V1Filter,
  handle: async ({ ctx, viewer, params }) =>
    presentKeywordFilter(await getKeywordFilter(ctx, viewer.accountId, params.id)),
})

export const changeFilterV1 = route({
  summary: 'Change a filtered keyword; absent parameters leave it as it is',
  scope: 'write:filters',
  deprecated,
  params: { id: IdParam, ...V1Params },
  returns: V1Filter,
  handle: async ({ ctx, viewer, params }) => {
    const { id, ...change } = params
    return presentKeywordFilter(
      await changeFilters(ctx, viewer.accountId, (tx) => updateKeywordFilter(tx, viewer.accountId, id, change)),
    )
  },
})

export const removeFilterV1 = route({
  summary: 'Stop filtering a keyword',
  scope: 'write:filters',
  deprecated,
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await changeFilters(ctx, viewer.accountId, (tx) => deleteKeywordFilter(tx, viewer.accountId, params.id))
    return {}
  },
})
