import Type from 'typebox'
import { acceptRequests } from '../../actions/notifications/requests.ts'
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
import { arrayPieces } from '../../lib/json.ts'

export const getNotificationRequests = route({
  summary: 'Senders whose notifications the policy filters, newest first',
  scope: 'read:notifications',
  params: pageParams,
  returns: Type.Array(NotificationRequest),
  async handle(call) {
    const { ctx, viewer, params } = call
    const page = pageOf(params, 40)
    const rows = await listNotificationRequests(ctx, viewer, page)
    setLinks(call, { ids: rows.map(({ id }) => id), page })
    return arrayPieces(await presentRequests(ctx, viewer, rows))
  },
})

export const getNotificationRequest = route({
  summary: 'A sender whose notifications the policy filters',
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

export const getRequestsMerged = route({
  summary: 'Whether the notifications of accepted requests are merged into the list',
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
  summary: 'Delete the filtered notifications of a sender',
  scope: 'write:notifications',
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    if ((await dismissRequests(ctx, viewer.accountId, [params.id])) === 0) throw new NotFound()
    return {}
  },
})

export const acceptNotificationRequests = route({
  summary: 'Accept several notification requests; ids of other accounts are ignored',
  scope: 'write:notifications',
  params: { id: Type.Optional(Type.Array(IdParam)) },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await acceptRequests(ctx, viewer.accountId, params.id ?? [])
    return {}
  },
})

export const dismissNotificationRequests = route({
  summary: 'Dismiss several notification requests; ids of other accounts are ignored',
  scope: 'write:notifications',
  params: { id: Type.Optional(Type.Array(IdParam)) },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await dismissRequests(ctx, viewer.accountId, params.id ?? [])
    return {}
  },
})
