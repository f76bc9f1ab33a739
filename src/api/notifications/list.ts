// GET /api/v1/notifications, /api/v1/notifications/:id, /api/v1/notifications/unread_count
import Type from 'typebox'
import { countUnread, findNotification, listNotifications } from '../../domain/notifications/list.ts'
import { Notification, presentNotification, presentNotifications } from '../../entities/notification.ts'
import { limitOf, limitParam, pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { NotFound } from '../../lib/errors.ts'
import { jsonArray } from '../../lib/json.ts'
import { CountResponse, filterParams, includeFilteredParam, supportedParam } from './params.ts'

export const notifications = route({
  summary: 'What others did that concerns the person, newest first',
  scope: 'read:notifications',
  params: { ...filterParams, ...includeFilteredParam, ...supportedParam, ...pageParams },
  returns: Type.Array(Notification),
  async handle(call) {
    const { ctx, viewer, params } = call
    const page = pageOf(params, 40)
    const rows = await listNotifications(ctx, viewer, page, params)
    setLinks(call, { ids: rows.map(({ id }) => id), page, nextAlways: true })
    return jsonArray(await presentNotifications(ctx, viewer, rows, params.supported_types))
  },
})

export const getNotification = route({
  summary: 'One notification',
  scope: 'read:notifications',
  params: { id: IdParam, ...supportedParam },
  returns: Notification,
  async handle({ ctx, viewer, params }) {
    const row = await findNotification(ctx, viewer, params.id)
    if (!row) throw new NotFound()
    return presentNotification(ctx, viewer, row, params.supported_types)
  },
})

export const unreadCount = route({
  summary: 'How many notifications are newer than the marker',
  scope: 'read:notifications',
  params: { ...filterParams, ...limitParam },
  returns: CountResponse,
  handle: async ({ ctx, viewer, params }) => ({
    count: await countUnread(ctx, viewer, limitOf(params, 100, 1000), params),
  }),
})
