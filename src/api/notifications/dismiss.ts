// POST /api/v1/notifications/:id/dismiss, /api/v1/notifications/dismiss, /api/v1/notifications/clear, /api/v2/notifications/clear,
// DELETE /api/v1/notifications/:id, /api/v1/notifications/destroy_multiple
import Type from 'typebox'
import { clearNotifications, dismissNotification, dismissNotifications } from '../../domain/notifications/list.ts'
import { Empty } from '../../entities/schema.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'

export const dismiss = route({
  summary: 'Delete a notification',
  scope: 'write:notifications',
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await dismissNotification(ctx, viewer.accountId, params.id)
    return {}
  },
})

export const dismissByParameter = route({
  summary: 'Delete a notification, as old clients ask for it',
  scope: 'write:notifications',
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await dismissNotification(ctx, viewer.accountId, params.id)
    return {}
  },
})

export const deleteNotification = route({
  summary: 'Delete a notification, as clients of some other servers ask for it',
  scope: 'write:notifications',
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await dismissNotification(ctx, viewer.accountId, params.id)
    return {}
  },
})

export const deleteNotifications = route({
  summary: 'Delete several notifications; those of others are left out',
  scope: 'write:notifications',
  params: { ids: Type.Array(IdParam) },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await dismissNotifications(ctx, viewer.accountId, params.ids)
    return {}
  },
})

export const clearGrouped = route({
  summary: 'Delete all notifications',
  scope: 'write:notifications',
  returns: Empty,
  async handle({ ctx, viewer }) {
    await clearNotifications(ctx, viewer.accountId)
    return {}
  },
})

export const clear = route({
  summary: 'Delete all notifications',
  scope: 'write:notifications',
  returns: Empty,
  async handle({ ctx, viewer }) {
    await clearNotifications(ctx, viewer.accountId)
    return {}
  },
})
