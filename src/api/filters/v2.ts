import { changeFilters } from '../../actions/filters.ts'
import {
  createFilter,
  deleteFilter,
  deleteFilterStatus,
  getFilter,
  getFilterStatus,
  insertFilterStatus,
  listFilters,
  updateFilter,
} from '../../domain/filters/filters.ts'
import { type KeywordRow, addKeyword, deleteKeyword, getKeyword, updateKeyword } from '../../domain/filters/keywords.ts'
import { MAX_KEYWORDS } from '../../domain/filters/rules.ts'
import {
  Filter,
  FilterActionSchema,
  FilterContextSchema,
  FilterKeyword,
  FilterStatus,
  presentFilter,
} from '../../entities/filter.ts'
import { Empty } from '../../entities/schema.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { invalidField } from '../../lib/errors.ts'
import Type from 'typebox'

const KeywordAttributes = Type.Object({
  id: Type.Optional(IdParam),
  keyword: Type.Optional(Type.String()),
  whole_word: Type.Optional(Type.Boolean()),
  _destroy: Type.Optional(Type.Boolean()),
})

/** All optional here: the domain refuses missing and blank ones with 422, as Mastodon does. */
const FilterParams = {
  title: Type.Optional(Type.String()),
  context: Type.Optional(Type.Array(FilterContextSchema)),
  filter_action: Type.Optional(FilterActionSchema),
  expires_in: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  keywords_attributes: Type.Optional(Type.Array(KeywordAttributes, { maxItems: MAX_KEYWORDS })),
}

export const getFilters = route({
  summary: 'All filters',
  scope: 'read:filters',
  returns: Type.Array(Filter),
  handle: async ({ ctx, viewer }) => (await listFilters(ctx, [viewer.accountId])).map(presentFilter),
})

export const addFilter = route({
  summary: 'Create a filter',
  scope: 'write:filters',
  params: FilterParams,
  returns: Filter,
  handle: async ({ ctx, viewer, params }) =>
    presentFilter(await changeFilters(ctx, viewer.accountId, (tx) => createFilter(tx, viewer.accountId, params))),
})

export const getFilterV2 = route({
  summary: 'One filter',
  scope: 'read:filters',
  params: { id: IdParam },
  returns: Filter,
  handle: async ({ ctx, viewer, params }) => presentFilter(await getFilter(ctx, viewer.accountId, params.id)),
})

export const changeFilter = route({
  summary: 'Change a filter; absent parameters leave it as it is',
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

const KeywordParams = {
  keyword: Type.Optional(Type.String()),
  whole_word: Type.Optional(Type.Boolean()),
}

const present = ({ id, keyword, whole_word }: KeywordRow): KeywordRow => ({ id, keyword, whole_word })

export const getFilterKeywords = route({
  summary: 'The keywords of a filter',
  scope: 'read:filters',
  params: { filter_id: IdParam },
  returns: Type.Array(FilterKeyword),
  handle: async ({ ctx, viewer, params }) => (await getFilter(ctx, viewer.accountId, params.filter_id)).keywords,
})

export const addFilterKeyword = route({
  summary: 'Add a keyword to a filter',
  scope: 'write:filters',
  params: { filter_id: IdParam, ...KeywordParams },
  returns: FilterKeyword,
  handle: ({ ctx, viewer, params }) =>
    changeFilters(ctx, viewer.accountId, (tx) => addKeyword(tx, viewer.accountId, params.filter_id, params)),
})

export const showFilterKeyword = route({
  summary: 'One keyword',
  scope: 'read:filters',
  params: { id: IdParam },
  returns: FilterKeyword,
  handle: async ({ ctx, viewer, params }) => present(await getKeyword(ctx, viewer.accountId, params.id)),
})

export const changeFilterKeyword = route({
  summary: 'Change a keyword; absent parameters leave it as it is',
  scope: 'write:filters',
  params: { id: IdParam, ...KeywordParams },
  returns: FilterKeyword,
  handle: ({ ctx, viewer, params }) =>
    changeFilters(ctx, viewer.accountId, (tx) => updateKeyword(tx, viewer.accountId, params.id, params)),
})

export const removeFilterKeyword = route({
  summary: 'Remove a keyword from its filter',
  scope: 'write:filters',
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await changeFilters(ctx, viewer.accountId, (tx) => deleteKeyword(tx, viewer.accountId, params.id))
    return {}
  },
})

export const getFilterStatuses = route({
  summary: 'The statuses of a filter',
  scope: 'read:filters',
  params: { filter_id: IdParam },
  returns: Type.Array(FilterStatus),
  handle: async ({ ctx, viewer, params }) => (await getFilter(ctx, viewer.accountId, params.filter_id)).statuses,
})

export const addFilterStatus = route({
  summary: 'Add a status to a filter',
  scope: 'write:filters',
  params: { filter_id: IdParam, status_id: Type.Optional(IdParam) },
  returns: FilterStatus,
  async handle({ ctx, viewer, params }) {
    const { filter_id: filterId, status_id: statusId } = params
    if (statusId === undefined) throw invalidField('status', 'must_exist')
    return changeFilters(ctx, viewer.accountId, (tx) => insertFilterStatus(tx, viewer.accountId, filterId, statusId))
  },
})

export const showFilterStatus = route({
  summary: 'One status of a filter',
  scope: 'read:filters',
  params: { id: IdParam },
  returns: FilterStatus,
  handle: ({ ctx, viewer, params }) => getFilterStatus(ctx, viewer.accountId, params.id),
})

export const removeFilterStatus = route({
  summary: 'Remove a status from its filter',
  scope: 'write:filters',
  params: { id: IdParam },
  returns: FilterStatus,
  handle: ({ ctx, viewer, params }) =>
    changeFilters(ctx, viewer.accountId, (tx) => deleteFilterStatus(tx, viewer.accountId, params.id)),
})
