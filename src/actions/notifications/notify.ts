import type { Context } from '../../context.ts'
import {
  createNotifications,
  deleteNotifications,
  type NotificationEvent,
  type Retraction,
} from '../../domain/notifications/create.ts'
import { insertSeveranceEvents, type Severance } from '../../domain/notifications/severance.ts'
import type { JobData } from '../../jobs/kinds.ts'

/** Creates the notifications about an event and announces them to clients and push subscriptions. May run twice. */
export async function notify(tx: Context, event: NotificationEvent): Promise<void> {
  const created = await createNotifications(tx, event)
  tx.publish(...created.map(({ id, account_id }) => ({ type: 'notification.new' as const, id, accountId: account_id })))
  const pushes = created.flatMap(({ id, subscriptions }) =>
    subscriptions.map((subscriptionId) => ({ subscriptionId, notificationId: id })),
  )
  if (pushes.length > 0) await tx.enqueueMany('push.send', pushes)
}

/** Undoes `notify`. */
export const unnotify = (tx: Context, retraction: Retraction): Promise<void> => deleteNotifications(tx, retraction)

/** Records relationships that accounts lost at once, and notifies these accounts. Call it in the transaction that ends them. */
export async function recordSeverance(tx: Context, severance: Severance): Promise<void> {
  const events = await insertSeveranceEvents(tx, severance)
  if (events.length > 0) await notify(tx, { type: 'severed_relationships', to: { events } })
}

/** Job `notifications.sign-up`: notifies the users who may manage users of a new account. */
export const notifySignUp = (ctx: Context, { accountId }: JobData['notifications.sign-up']): Promise<void> =>
  ctx.transaction((tx) => notify(tx, { type: 'admin.sign_up', fromAccountId: accountId, to: { may: 'manage_users' } }))
