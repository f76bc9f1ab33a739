import pLimit from 'p-limit'
import type { BusMessage } from '../bus/messages.ts'
import type { Context } from '../context.ts'
import {
  conversationChanged,
  type Delivery,
  encryptedMessageCreated,
  type EventSource,
  filtersChanged,
  notificationCreated,
  notificationsMerged,
} from './events.ts'
import type { Hub } from './hub.ts'
import { statusCreated, statusDeleted, statusEdited } from './status-events.ts'

/** What each message on the bus means for those who listen. */
const eventSources: { [T in BusMessage['type']]?: EventSource<T> } = {
  'status.new': statusCreated,
  'status.edited': statusEdited,
  'status.deleted': statusDeleted,
  'notification.new': notificationCreated,
  'notifications.merged': notificationsMerged,
  'filters.changed': filtersChanged,
  'encrypted_message.new': encryptedMessageCreated,
  'conversation.changed': conversationChanged,
}

/** How many messages are worked out at once, and how many may wait before new ones are dropped. */
const AT_ONCE = 8
const MAX_WAITING = 10_000

/**
 * Gives back what to call for every message. Several messages are worked out side by side, but what comes of them goes out in
 * their order: a post before its edit, both before its end.
 */
export function createOutbox(ctx: Context, hub: Hub): (message: BusMessage) => void {
  const limit = pLimit(AT_ONCE)
  let waiting = 0
  let sent: Promise<void> = Promise.resolve()

  const send = (prepared: readonly Delivery[]): void => {
    for (const { to, event, payload } of prepared) {
      // Whoever unsubscribed, or was thrown out, while this was worked out hears nothing of it.
      for (const subscription of to)
        if (hub.holds(subscription)) subscription.listener.send(subscription.stream, event, payload)
    }
  }

  return (message) => {
    const source = eventSources[message.type] as EventSource<typeof message.type> | undefined
    if (!source || hub.listeners.size === 0) return
    if (waiting >= MAX_WAITING) return ctx.log.warn({ type: message.type }, 'streaming.event-dropped')
    waiting++
    const prepared = limit(() => source(ctx, hub, message as never)).catch((error: unknown) => {
      ctx.log.warn({ err: error, message }, 'streaming.event-lost')
      return []
    })
    sent = sent
      .then(async () => send(await prepared))
      .catch((error: unknown) => ctx.log.warn({ err: error, type: message.type }, 'streaming.event-unsent'))
      .finally(() => waiting--)
  }
}
