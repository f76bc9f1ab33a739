// GET /api/v1/statuses/:id/context: the thread around a status.
import { seekReplies } from '../../actions/remote/fetch-replies.ts'
import { findThread } from '../../domain/statuses/context.ts'
import { getTargetStatus } from '../../domain/statuses/visibility.ts'
import { presentStatusMap } from '../../entities/status-presenter.ts'
import { Context } from '../../entities/status-thread.ts'
import { announceRefresh } from '../../http/async-refresh.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { jsonArray, jsonObject } from '../../lib/json.ts'

export const getContext = route({
  summary: 'What a status answers to, and the answers to it',
  auth: 'public',
  scope: 'read:statuses',
  cacheable: true,
  params: { id: IdParam },
  returns: Context,
  async handle(call) {
    const { ctx, viewer, caller, params } = call
    const status = await getTargetStatus(ctx, viewer, params.id)
    // Before the thread is read: of what comes afterwards, the client hears that it has to ask again.
    const more = viewer && (await seekReplies(ctx, status))
    if (more) await announceRefresh({ ...call, viewer }, more)
    const { ancestors, descendants } = await findThread(ctx, viewer, status, caller !== null)
    const presented = await presentStatusMap(ctx, viewer, [...ancestors, ...descendants])
    const list = (ids: string[]) => jsonArray(ids.flatMap((id) => presented.get(id) ?? []))
    return jsonObject({ ancestors: list(ancestors), descendants: list(descendants) })
  },
})
