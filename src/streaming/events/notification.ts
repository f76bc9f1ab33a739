import { covers } from '../../domain/auth/scopes.ts'
import { findNotification } from '../../domain/notifications/list.ts'
import { presentNotifications } from '../../entities/notification.ts'
import type { Hub, Subscription } from '../hub.ts'
import type { EventSource } from './event.ts'

/** Both of somebody's streams, for tokens that may read notifications. */
function listeners(hub: Hub, accountId: string): Subscription[] {
  return [...hub.at('user', accountId), ...hub.at('notifications', accountId)].filter(({ listener }) =>
    covers(listener.viewer.scopes, 'read:notifications'),
  )
}

/** Somebody has a notification. */
export const notificationCreated: EventSource<'notification.new'> = async (ctx, hub, { id, accountId }) => {
  const to = listeners(hub, accountId)
  if (to.length === 0) return []
  const row = await findNotification(ctx, { accountId }, id)
  const [notification] = row ? await presentNotifications(ctx, { accountId }, [row]) : []
  return notification ? [{ to, event: 'notification', payload: notification.toString() }] : []
}

/** What was held back is among the other notifications: clients read the list again. The payload says nothing more. */
export const notificationsMerged: EventSource<'notifications.merged'> = async (_ctx, hub, { accountId }) => [
  { to: listeners(hub, accountId), event: 'notifications_merged', payload: '1' },
]
