// GET /api/v1_alpha/async_refreshes/:id: how something stands that a request has set off.
import Type from 'typebox'
import { findRefreshFor } from '../domain/server/async-refreshes.ts'
import { nullable } from '../entities/schema.ts'
import { route } from '../http/route.ts'
import { NotFound } from '../lib/errors.ts'

const AsyncRefresh = Type.Object(
  { id: Type.String(), status: Type.Enum(['running', 'finished']), result_count: nullable(Type.Integer()) },
  { $id: 'AsyncRefresh' },
)

// Its ids are no numbers, hence not `:id`.
export const getAsyncRefresh = route({
  summary: 'How something stands that one of the caller’s requests has set off',
  scope: 'read',
  params: { refresh_id: Type.String() },
  returns: Type.Object({ async_refresh: AsyncRefresh }, { $id: 'AsyncRefreshResponse' }),
  async handle({ ctx, viewer, params }) {
    const id = params.refresh_id
    const refresh = await findRefreshFor(ctx, viewer.accountId, id)
    if (!refresh) throw new NotFound()
    return { async_refresh: { id, status: refresh.status, result_count: refresh.result_count } }
  },
})
