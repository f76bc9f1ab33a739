import {
  clearNotifications,
  countUnread,
  dismissNotification,
  dismissNotifications,
  findNotification,
  listNotifications,
} from '../../domain/notifications/list.ts'
import { Notification, presentNotification, presentNotifications } from '../../entities/notification.ts'
import { Empty } from '../../entities/schema.ts'
import { limitOf, limitParam, pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { NotFound } from '../../lib/errors.ts'
import { arrayPieces } from '../../lib/json.ts'
import Type from 'typebox'

/** Unknown types match nothing. */
export const filterParams = {
  types: Type.Optional(Type.Array(Type.String())),
  exclude_types: Type.Optional(Type.Array(Type.String())),
  account_id: Type.Optional(IdParam),
}

export const includeFilteredParam = { include_filtered: Type.Optional(Type.Boolean()) }

/** Notifications of other types get a fallback. */
export const supportedParam = { supported_types: Type.Optional(Type.Array(Type.String())) }

/** By default all types that can be grouped. */
export const groupedParam = { grouped_types: Type.Optional(Type.Array(Type.String())) }

export const CountResponse = Type.Object({ count: Type.Integer() }, { $id: 'CountResponse' })

export const getNotifications = route({
  summary: 'Notifications, newest first',
  scope: 'read:notifications',
  params: { ...filterParams, ...includeFilteredParam, ...supportedParam, ...pageParams },
  returns: Type.Array(Notification),
  async handle(call) {
    const { ctx, viewer, params } = call
    const page = pageOf(params, 40)
    const rows = await listNotifications(ctx, viewer, page, params)
    setLinks(call, { ids: rows.map(({ id }) => id), page, nextAlways: true })
    return arrayPieces(await presentNotifications(ctx, viewer, rows, params.supported_types))
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

export const getUnreadCount = route({
  summary: 'The number of notifications newer than the marker',
  scope: 'read:notifications',
  params: { ...filterParams, ...limitParam },
  returns: CountResponse,
  handle: async ({ ctx, viewer, params }) => ({
    count: await countUnread(ctx, viewer, limitOf(params, 100, 1000), params),
  }),
})

const dismissal = (summary: string) =>
  route({
    summary,
    scope: 'write:notifications',
    params: { id: IdParam },
    returns: Empty,
    async handle({ ctx, viewer, params }) {
      await dismissNotification(ctx, viewer.accountId, params.id)
      return {}
    },
  })

export const dismissNotificationById = dismissal('Delete a notification')
export const dismissNotificationByParam = dismissal('Delete a notification, for old clients')
export const deleteNotification = dismissal('Delete a notification, for clients of some other servers')

export const destroyMultipleNotifications = route({
  summary: 'Delete several notifications; ids of other accounts are ignored',
  scope: 'write:notifications',
  params: { ids: Type.Array(IdParam) },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await dismissNotifications(ctx, viewer.accountId, params.ids)
    return {}
  },
})

export const clearAllNotifications = route({
  summary: 'Delete all notifications',
  scope: 'write:notifications',
  returns: Empty,
  async handle({ ctx, viewer }) {
    await clearNotifications(ctx, viewer.accountId)
    return {}
  },
})
