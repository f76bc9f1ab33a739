import type { BusMessage } from '../../bus/messages.ts'
import type { Context } from '../../context.ts'
import type { Hub, Subscription } from '../hub.ts'

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
