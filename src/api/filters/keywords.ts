// GET, POST /api/v2/filters/:filter_id/keywords, GET, PUT, DELETE /api/v2/filters/keywords/:id: the words of a filter.
import Type from 'typebox'
import { changeFilters } from '../../actions/filters/change.ts'
import { getFilter } from '../../domain/filters/filters.ts'
import { addKeyword, deleteKeyword, getKeyword, updateKeyword, type KeywordRow } from '../../domain/filters/keywords.ts'
import { FilterKeyword } from '../../entities/filter.ts'
import { Empty } from '../../entities/schema.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'

const KeywordParams = {
  keyword: Type.Optional(Type.String()),
  whole_word: Type.Optional(Type.Boolean()),
}

const present = ({ id, keyword, whole_word }: KeywordRow): KeywordRow => ({ id, keyword, whole_word })

export const listFilterKeywords = route({
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
  summary: 'Change a keyword; what is not named stays',
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
