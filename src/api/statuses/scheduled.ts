import { reschedule } from '../../actions/statuses/schedule.ts'
import Type from 'typebox'
import type { Context } from '../../context.ts'
import type { Viewer } from '../../domain/auth/viewer.ts'
import { getScheduled, listScheduled, unschedule } from '../../domain/statuses/scheduled.ts'
import { presentScheduled, ScheduledStatus } from '../../entities/scheduled-status.ts'
import { Empty } from '../../entities/schema.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { NotFound } from '../../lib/errors.ts'
import { arrayPieces, type JsonText } from '../../lib/json.ts'

const USUAL = 20

async function present(ctx: Context, viewer: Viewer, id: string): Promise<JsonText<ScheduledStatus>> {
  const [scheduled] = await presentScheduled(ctx, [await getScheduled(ctx, viewer.accountId, id)])
  if (!scheduled) throw new NotFound()
  return scheduled
}

export const getScheduledStatuses = route({
  summary: 'Your scheduled statuses',
  scope: 'read:statuses',
  params: pageParams,
  returns: Type.Array(ScheduledStatus),
  async handle(call) {
    const { ctx, viewer } = call
    const page = pageOf(call.params, USUAL)
    const rows = await listScheduled(ctx, viewer.accountId, page)
    setLinks(call, { ids: rows.map(({ id }) => id), page })
    return arrayPieces(await presentScheduled(ctx, rows))
  },
})

export const getScheduledStatus = route({
  summary: 'One of your scheduled statuses',
  scope: 'read:statuses',
  params: { id: IdParam },
  returns: ScheduledStatus,
  handle: ({ ctx, viewer, params }) => present(ctx, viewer, params.id),
})

export const updateScheduledStatus = route({
  summary: 'Change the time of a scheduled status',
  scope: 'write:statuses',
  // Each change leaves a job that waits for the new time.
  rate: 'statuses',
  params: { id: IdParam, scheduled_at: Type.Optional(Type.String()) },
  returns: ScheduledStatus,
  async handle({ ctx, viewer, params }) {
    await getScheduled(ctx, viewer.accountId, params.id)
    if (params.scheduled_at) await reschedule(ctx, viewer.accountId, params.id, params.scheduled_at)
    return present(ctx, viewer, params.id)
  },
})

export const deleteScheduledStatus = route({
  summary: 'Cancel a scheduled status',
  scope: 'write:statuses',
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await unschedule(ctx, viewer.accountId, params.id)
    return {}
  },
})
