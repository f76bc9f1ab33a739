// GET, POST /api/v2/filters/:filter_id/statuses, GET, DELETE /api/v2/filters/statuses/:id: single posts that a filter covers.
import Type from 'typebox'
import { changeFilters } from '../../actions/filters/change.ts'
import { deleteFilterStatus, getFilter, getFilterStatus, insertFilterStatus } from '../../domain/filters/filters.ts'
import { FilterStatus } from '../../entities/filter.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { invalidField } from '../../lib/errors.ts'

export const listFilterStatuses = route({
  summary: 'The posts of a filter',
  scope: 'read:filters',
  params: { filter_id: IdParam },
  returns: Type.Array(FilterStatus),
  handle: async ({ ctx, viewer, params }) => (await getFilter(ctx, viewer.accountId, params.filter_id)).statuses,
})

export const addFilterStatus = route({
  summary: 'Add a post to a filter',
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
  summary: 'One post of a filter',
  scope: 'read:filters',
  params: { id: IdParam },
  returns: FilterStatus,
  handle: ({ ctx, viewer, params }) => getFilterStatus(ctx, viewer.accountId, params.id),
})

export const removeFilterStatus = route({
  summary: 'Take a post out of its filter',
  scope: 'write:filters',
  params: { id: IdParam },
  returns: FilterStatus,
  handle: ({ ctx, viewer, params }) =>
    changeFilters(ctx, viewer.accountId, (tx) => deleteFilterStatus(tx, viewer.accountId, params.id)),
})
