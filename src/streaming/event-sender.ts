import pLimit from 'p-limit'
import type { BusMessage } from '../bus/bus.ts'
import type { Context } from '../context.ts'
import {
  conversationChanged,
  encryptedMessageCreated,
  type EventBuilder,
  filtersChanged,
  notificationCreated,
  notificationsMerged,
  type StreamEvent,
} from './events.ts'
import { metersOf } from '../domain/server/meters.ts'
import { announcementDeleted, announcementPublished, announcementReaction } from './announcement-events.ts'
import type { Encode, Hub, Subscription } from './hub.ts'
import { statusCreated, statusDeleted, statusEdited } from './status-events.ts'

/** Messages that make no event. */
type Unsent = 'tokens.gone' | 'user.changed' | 'settings.changed'

const builders: { [T in Exclude<BusMessage['type'], Unsent>]: EventBuilder<T> } & { [T in Unsent]?: never } = {
  'status.new': statusCreated,
  'status.edited': statusEdited,
  'status.deleted': statusDeleted,
  'notification.new': notificationCreated,
  'notifications.merged': notificationsMerged,
  'filters.changed': filtersChanged,
  'encrypted_message.new': encryptedMessageCreated,
  'conversation.changed': conversationChanged,
  'announcement.published': announcementPublished,
  'announcement.reaction': announcementReaction,
  'announcement.deleted': announcementDeleted,
}

/** Messages that are processed at once, and messages that may wait before further ones are dropped. */
const CONCURRENCY = 8
const MAX_WAITING = 10_000

/**
 * Returns a function that takes messages of the bus and sends their events to the listeners. Several messages are processed
 * concurrently, but their events are sent in the order of the messages: a status, its edit, its deletion.
 */
export function createEventSender(ctx: Context, hub: Hub): (message: BusMessage) => void {
  const limit = pLimit(CONCURRENCY)
  let waiting = 0
  let sent: Promise<void> = Promise.resolve()

  const send = (prepared: readonly StreamEvent[]): void => {
    for (const each of prepared) {
      const bytesFor = encodings(each)
      for (const subscription of each.to)
        // The client may have unsubscribed or disconnected meanwhile.
        if (hub.isSubscribed(subscription)) subscription.listener.send(bytesFor(subscription))
      metersOf(ctx)?.streamEvents(each.event, each.to.length)
    }
  }

  return (message) => {
    const build = builders[message.type] as EventBuilder<typeof message.type> | undefined
    if (!build || hub.isEmpty) return
    if (waiting >= MAX_WAITING) return ctx.log.warn({ type: message.type }, 'streaming.event-dropped')
    waiting++
    const prepared = limit(() => build(ctx, hub, message as never)).catch((error: unknown) => {
      ctx.log.warn({ err: error, message }, 'streaming.event-lost')
      return []
    })
    sent = sent
      .then(async () => send(await prepared))
      .catch((error: unknown) => ctx.log.warn({ err: error, type: message.type }, 'streaming.event-unsent'))
      .finally(() => waiting--)
  }
}

/** An event goes to many listeners, but has few different encodings. */
function encodings({ event, payload }: StreamEvent): (to: Subscription) => Buffer {
  const known = new Map<Encode, Map<string, Buffer>>()
  return ({ listener: { encode }, stream }) => {
    const byStream = known.get(encode) ?? new Map<string, Buffer>()
    known.set(encode, byStream)
    const name = stream.join('\n')
    const bytes = byStream.get(name) ?? encode(stream, event, payload)
    byStream.set(name, bytes)
    return bytes
  }
}
