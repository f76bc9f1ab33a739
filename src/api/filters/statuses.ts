// GET, POST /api/v2/filters/:filter_id/statuses, GET, DELETE /api/v2/filters/statuses/:id: single posts that a filter covers.
import Type from 'typebox'
import { changeFilters } from '../../actions/filters/change.ts'
import { deleteFilterStatus, getFilter, getFilterStatus, insertFilterStatus } from '../../domain/filters/filters.ts'
import { FilterStatus } from '../../entities/filter.ts'
import { Id } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { invalidField } from '../../lib/errors.ts'

export const listFilterStatuses = route('GET /api/v2/filters/:filter_id/statuses', {
  summary: 'The posts of a filter',
  scope: 'read:filters',
  returns: Type.Array(FilterStatus),
  handle: async ({ ctx, viewer, params }) => (await getFilter(ctx, viewer.accountId, params.filter_id)).statuses,
})

export const addFilterStatus = route('POST /api/v2/filters/:filter_id/statuses', {
  summary: 'Add a post to a filter',
  scope: 'write:filters',
  params: Type.Object({ status_id: Type.Optional(Id) }),
  returns: FilterStatus,
  async handle({ ctx, viewer, params }) {
    const { filter_id: filterId, status_id: statusId } = params
    if (statusId === undefined) throw invalidField('status', 'must_exist')
    return changeFilters(ctx, viewer.accountId, (tx) => insertFilterStatus(tx, viewer.accountId, filterId, statusId))
  },
})

export const showFilterStatus = route('GET /api/v2/filters/statuses/:id', {
  summary: 'One post of a filter',
  scope: 'read:filters',
  returns: FilterStatus,
  handle: ({ ctx, viewer, params }) => getFilterStatus(ctx, viewer.accountId, params.id),
})

export const removeFilterStatus = route('DELETE /api/v2/filters/statuses/:id', {
  summary: 'Take a post out of its filter',
  scope: 'write:filters',
  returns: FilterStatus,
  handle: ({ ctx, viewer, params }) =>
    changeFilters(ctx, viewer.accountId, (tx) => deleteFilterStatus(tx, viewer.accountId, params.id)),
})
