// GET, POST /api/v2/filters, GET, PUT, DELETE /api/v2/filters/:id: what somebody does not want to see.
import Type from 'typebox'
import { changeFilters } from '../../actions/filters/change.ts'
import { createFilter, deleteFilter, getFilter, listFilters, updateFilter } from '../../domain/filters/filters.ts'
import { MAX_KEYWORDS } from '../../domain/filters/rules.ts'
import { Filter, FilterAction, FilterContext, presentFilter } from '../../entities/filter.ts'
import { Empty } from '../../entities/schema.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'

const KeywordAttributes = Type.Object({
  id: Type.Optional(IdParam),
  keyword: Type.Optional(Type.String()),
  whole_word: Type.Optional(Type.Boolean()),
  _destroy: Type.Optional(Type.Boolean()),
})

/** What is missing or blank where it is needed is refused with 422, as Mastodon does, not as a malformed request. */
const FilterParams = {
  title: Type.Optional(Type.String()),
  context: Type.Optional(Type.Array(FilterContext)),
  filter_action: Type.Optional(FilterAction),
  expires_in: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  keywords_attributes: Type.Optional(Type.Array(KeywordAttributes, { maxItems: MAX_KEYWORDS })),
}

export const listAllFilters = route({
  summary: 'All filters',
  scope: 'read:filters',
  returns: Type.Array(Filter),
  handle: async ({ ctx, viewer }) => (await listFilters(ctx, [viewer.accountId])).map(presentFilter),
})

export const addFilter = route({
  summary: 'Make a filter',
  scope: 'write:filters',
  params: FilterParams,
  returns: Filter,
  handle: async ({ ctx, viewer, params }) =>
    presentFilter(await changeFilters(ctx, viewer.accountId, (tx) => createFilter(tx, viewer.accountId, params))),
})

export const showFilter = route({
  summary: 'One filter',
  scope: 'read:filters',
  params: { id: IdParam },
  returns: Filter,
  handle: async ({ ctx, viewer, params }) => presentFilter(await getFilter(ctx, viewer.accountId, params.id)),
})

export const changeFilter = route({
  summary: 'Change a filter; what is not named stays',
  scope: 'write:filters',
  params: { id: IdParam, ...FilterParams },
  returns: Filter,
  handle: async ({ ctx, viewer, params }) => {
    const { id, ...change } = params
    return presentFilter(
      await changeFilters(ctx, viewer.accountId, (tx) => updateFilter(tx, viewer.accountId, id, change)),
    )
  },
})

export const removeFilter = route({
  summary: 'Delete a filter',
  scope: 'write:filters',
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await changeFilters(ctx, viewer.accountId, (tx) => deleteFilter(tx, viewer.accountId, params.id))
    return {}
  },
})
