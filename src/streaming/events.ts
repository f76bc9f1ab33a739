import type { BusMessage } from '../bus/bus.ts'
import type { Context } from '../context.ts'
import { covers } from '../domain/auth/scopes.ts'
import { findConversation } from '../domain/conversations/conversations.ts'
import { findMessage } from '../domain/crypto/messages.ts'
import { findNotification } from '../domain/notifications/list.ts'
import { presentConversations } from '../entities/conversation.ts'
import { presentEncryptedMessage } from '../entities/crypto.ts'
import { presentNotifications } from '../entities/notification.ts'
import { joinedPieces } from '../lib/json.ts'
import type { Hub, Subscription } from './hub.ts'

export type StreamEvent = { to: readonly Subscription[]; event: string; payload?: string }

/** Reads nothing when no listener subscribes to the message's topics. */
export type EventBuilder<T extends BusMessage['type']> = (
  ctx: Context,
  hub: Hub,
  message: Extract<BusMessage, { type: T }>,
) => Promise<StreamEvent[]>

/** Accounts with the same payload share an event. Those without a payload receive none. */
export function eventsForEach(
  event: string,
  to: readonly Subscription[],
  presented: ReadonlyMap<string, Buffer>,
): StreamEvent[] {
  const payloads = new Map([...presented].map(([accountId, json]) => [accountId, json.toString()]))
  return [...Map.groupBy(to, ({ listener }) => payloads.get(listener.viewer.accountId))].flatMap(
    ([payload, subscriptions]) => (payload === undefined ? [] : [{ to: subscriptions, event, payload }]),
  )
}

/** Subscriptions to both of the account's streams whose token may read notifications. */
function notificationSubscriptions(hub: Hub, accountId: string): Subscription[] {
  return [...hub.at('user', accountId), ...hub.at('notifications', accountId)].filter(({ listener }) =>
    covers(listener.viewer.scopes, 'read:notifications'),
  )
}

export const notificationCreated: EventBuilder<'notification.new'> = async (ctx, hub, { id, accountId }) => {
  const to = notificationSubscriptions(hub, accountId)
  if (to.length === 0) return []
  const row = await findNotification(ctx, { accountId }, id)
  const [notification] = row ? await presentNotifications(ctx, { accountId }, [row]) : []
  return notification ? [{ to, event: 'notification', payload: joinedPieces(notification).toString() }] : []
}

/** Filtered notifications were merged into the list: clients read it again. The payload has no meaning. */
export const notificationsMerged: EventBuilder<'notifications.merged'> = async (_ctx, hub, { accountId }) => [
  { to: notificationSubscriptions(hub, accountId), event: 'notifications_merged', payload: '1' },
]

/** A conversation has another last status, or was marked as read. */
export const conversationChanged: EventBuilder<'conversation.changed'> = async (ctx, hub, { id, accountId }) => {
  const to = hub.at('direct', accountId)
  if (to.length === 0) return []
  const row = await findConversation(ctx, accountId, id)
  const [conversation] = row ? await presentConversations(ctx, { accountId }, [row]) : []
  return conversation ? [{ to, event: 'conversation', payload: conversation.toString() }] : []
}

export const filtersChanged: EventBuilder<'filters.changed'> = async (_ctx, hub, { accountId }) => [
  { to: hub.at('user', accountId), event: 'filters_changed' },
]

/** Only the connections of the device's token receive the message. */
export const encryptedMessageCreated: EventBuilder<'encrypted_message.new'> = async (
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
