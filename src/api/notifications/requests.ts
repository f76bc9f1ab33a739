// GET /api/v1/notifications/requests, /:id, /merged; POST /accept, /dismiss, /:id/accept, /:id/dismiss below it
import Type from 'typebox'
import { acceptRequests } from '../../actions/notifications/notify.ts'
import {
  dismissRequests,
  findRequest,
  isMerged,
  listNotificationRequests,
} from '../../domain/notifications/requests.ts'
import { NotificationRequest, presentRequests } from '../../entities/notification-request.ts'
import { Empty } from '../../entities/schema.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { NotFound } from '../../lib/errors.ts'
import { jsonArray } from '../../lib/json.ts'

export const notificationRequests = route({
  summary: 'Those whose notifications the policy holds back, newest first',
  scope: 'read:notifications',
  params: pageParams,
  returns: Type.Array(NotificationRequest),
  async handle(call) {
    const { ctx, viewer, params } = call
    const page = pageOf(params, 40)
    const rows = await listNotificationRequests(ctx, viewer, page)
    setLinks(call, { ids: rows.map(({ id }) => id), page })
    return jsonArray(await presentRequests(ctx, viewer, rows))
  },
})

export const getNotificationRequest = route({
  summary: 'One of those whose notifications the policy holds back',
  scope: 'read:notifications',
  params: { id: IdParam },
  returns: NotificationRequest,
  async handle({ ctx, viewer, params }) {
    const row = await findRequest(ctx, viewer, params.id)
    const [request] = row ? await presentRequests(ctx, viewer, [row]) : []
    if (!request) throw new NotFound()
    return request
  },
})

export const requestsMerged = route({
  summary: 'Whether the notifications of accepted requests are among the others by now',
  scope: 'read:notifications',
  returns: Type.Object({ merged: Type.Boolean() }, { $id: 'MergedResponse' }),
  handle: async ({ ctx, viewer }) => ({ merged: await isMerged(ctx, viewer.accountId) }),
})

export const acceptNotificationRequest = route({
  summary: 'Show the notifications of a sender, now and in the future',
  scope: 'write:notifications',
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    if ((await acceptRequests(ctx, viewer.accountId, [params.id])) === 0) throw new NotFound()
    return {}
  },
})

export const dismissNotificationRequest = route({
  summary: 'Delete what the policy held back of a sender',
  scope: 'write:notifications',
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    if ((await dismissRequests(ctx, viewer.accountId, [params.id])) === 0) throw new NotFound()
    return {}
  },
})

export const acceptNotificationRequests = route({
  summary: 'As accepting one, for several; those of others are left out',
  scope: 'write:notifications',
  params: { id: Type.Optional(Type.Array(IdParam)) },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await acceptRequests(ctx, viewer.accountId, params.id ?? [])
    return {}
  },
})

export const dismissNotificationRequests = route({
  summary: 'As dismissing one, for several; those of others are left out',
  scope: 'write:notifications',
  params: { id: Type.Optional(Type.Array(IdParam)) },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await dismissRequests(ctx, viewer.accountId, params.id ?? [])
    return {}
  },
})
