import type { Context } from '../../context.ts'
import {
  type CreatedNotification,
  type NotificationEvent,
  createNotifications,
  createNotificationsFrom,
} from '../../domain/notifications/create.ts'
import { insertSeveranceEvents, type NewSeveranceEvents } from '../../domain/moderation/severance-events.ts'
import type { NotificationType } from '../../domain/notifications/types.ts'

/** Creates the notifications that their recipients accept, streams them and enqueues pushes. May run twice. */
export async function notify(tx: Context, event: NotificationEvent): Promise<void> {
  await streamAndPush(tx, await createNotifications(tx, event))
}

/** As notify, for the acts of several accounts on one. */
export async function notifyFrom(
  tx: Context,
  fromAccountIds: readonly string[],
  event: { type: NotificationType; to: readonly [string] },
): Promise<void> {
  if (fromAccountIds.length > 0) await streamAndPush(tx, await createNotificationsFrom(tx, fromAccountIds, event))
}

/** Streams the notifications and enqueues pushes. */
export async function streamAndPush(tx: Context, created: readonly CreatedNotification[]): Promise<void> {
  tx.publish(...created.map(({ id, account_id }) => ({ type: 'notification.new' as const, id, accountId: account_id })))
  const pushes = created.flatMap(({ id, subscriptions }) =>
    subscriptions.map((subscriptionId) => ({ subscriptionId, notificationId: id })),
  )
  if (pushes.length > 0) await tx.enqueueMany('push.send', pushes)
}

/** Call it in the transaction that ends the relationships. Returns the ids of the events. */
export async function recordSeverance(tx: Context, severance: NewSeveranceEvents): Promise<string[]> {
  const events = await insertSeveranceEvents(tx, severance)
  if (events.length > 0) await notify(tx, { type: 'severed_relationships', to: { events } })
  return events
}
