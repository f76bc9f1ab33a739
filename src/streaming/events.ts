import type { BusMessage } from '../bus/messages.ts'
import type { Context } from '../context.ts'
import { covers } from '../domain/auth/scopes.ts'
import { findConversation } from '../domain/conversations/conversations.ts'
import { findMessage } from '../domain/crypto/messages.ts'
import { findNotification } from '../domain/notifications/list.ts'
import { presentConversations } from '../entities/conversation.ts'
import { presentEncryptedMessage } from '../entities/crypto.ts'
import { presentNotifications } from '../entities/notification.ts'
import type { Hub, Subscription } from './hub.ts'

/** An event on its way to some subscriptions. */
export type Delivery = { to: readonly Subscription[]; event: string; payload?: string }

/** Works out what a message means for those who listen. Asks nothing of the database when nobody does. */
export type EventSource<T extends BusMessage['type']> = (
  ctx: Context,
  hub: Hub,
  message: Extract<BusMessage, { type: T }>,
) => Promise<Delivery[]>

/** Puts what each account is shown of a status into deliveries. Who has no entry is left out: the status is gone. */
export function deliveries(
  event: string,
  to: readonly Subscription[],
  presented: ReadonlyMap<string, Buffer>,
): Delivery[] {
  return [...Map.groupBy(to, ({ listener }) => listener.viewer.accountId)].flatMap(([accountId, subscriptions]) => {
    const payload = presented.get(accountId)
    return payload ? [{ to: subscriptions, event, payload: payload.toString() }] : []
  })
}

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

/** A conversation has a new post, lost its last one, or was read elsewhere. */
export const conversationChanged: EventSource<'conversation.changed'> = async (ctx, hub, { id, accountId }) => {
  const to = hub.at('direct', accountId)
  if (to.length === 0) return []
  const row = await findConversation(ctx, accountId, id)
  const [conversation] = row ? await presentConversations(ctx, { accountId }, [row]) : []
  return conversation ? [{ to, event: 'conversation', payload: conversation.toString() }] : []
}

/** Somebody changed their filters: other clients of theirs read them again. */
export const filtersChanged: EventSource<'filters.changed'> = async (_ctx, hub, { accountId }) => [
  { to: hub.at('user', accountId), event: 'filters_changed' },
]

/** A private message has come for a device: only the token that it belongs to hears of it. */
export const encryptedMessageCreated: EventSource<'encrypted_message.new'> = async (
  ctx,
  hub,
  { id, accountId, tokenId },
) => {
  const to = hub
    .at('user', accountId)
    .filter(({ listener: { viewer } }) => viewer.tokenId === tokenId && covers(viewer.scopes, 'crypto'))
  const message = to.length > 0 ? await findMessage(ctx, id) : null
  return message ? [{ to, event: 'encrypted_message', payload: JSON.stringify(presentEncryptedMessage(message)) }] : []
}
