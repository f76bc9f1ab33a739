// GET /api/v1_alpha/async_refreshes/:id, and the header that announces a refresh.
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import type { Context } from '../context.ts'
import { type AsyncRefresh, findRefreshFor, refreshIdFor } from '../domain/server/async-refreshes.ts'
import { nullable } from '../entities/schema.ts'
import { route } from '../http/route.ts'
import { NotFound } from '../lib/errors.ts'

const AsyncRefresh = Type.Object(
  { id: Type.String(), status: Type.Enum(['running', 'finished']), result_count: nullable(Type.Integer()) },
  { $id: 'AsyncRefresh' },
)

// The ids are not numeric, so the parameter is not called `id`.
export const getAsyncRefresh = route({
  summary: 'The state of a background refresh that one of your requests started',
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

/** Clients ask for the state after this many seconds. */
const RETRY = 2

export async function announceRefresh(
  { ctx, viewer, reply }: { ctx: Context; viewer: { accountId: string }; reply: FastifyReply },
  { key, result_count }: Pick<AsyncRefresh, 'key' | 'result_count'>,
): Promise<void> {
  const id = await refreshIdFor(ctx, viewer.accountId, key)
  const count = result_count === null ? '' : `, result_count=${result_count}`
  void reply.header('mastodon-async-refresh', `id="${id}", retry=${RETRY}${count}`)
}
