import type { BusMessage } from '../../bus/messages.ts'
import { conversationChanged } from './conversation.ts'
import { encryptedMessageCreated } from './encrypted-message.ts'
import type { EventSource } from './event.ts'
import { filtersChanged } from './filters.ts'
import { notificationCreated, notificationsMerged } from './notification.ts'
import { statusDeleted } from './deletion.ts'
import { statusCreated, statusEdited } from './status.ts'

/** What each message on the bus means for those who listen. */
export const eventSources: { [T in BusMessage['type']]?: EventSource<T> } = {
  'status.new': statusCreated,
  'status.edited': statusEdited,
  'status.deleted': statusDeleted,
  'notification.new': notificationCreated,
  'notifications.merged': notificationsMerged,
  'filters.changed': filtersChanged,
  'encrypted_message.new': encryptedMessageCreated,
  'conversation.changed': conversationChanged,
}
