// The push subscription of this browser: where the server sends notifications while the client is closed. All accounts of the
// browser share it; the server knows for each whether it wants them.
import { api, ApiError, read } from '../api/client.ts'
import { otherAccountIds } from '../api/session.ts'
import type { components } from '../api/schema.d.ts'

export type PushSettings = components['schemas']['WebPushSubscription']
export type PushAlerts = PushSettings['alerts']
export type PushPolicy = PushSettings['policy']

export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** Safari on iPhones and iPads has push notifications for apps on the home screen only. */
export const needsApp = (): boolean => !canPush() && 'standalone' in navigator && !navigator.standalone

const subscribed = async (): Promise<PushSubscription | null> => {
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** Whether push notifications of the signed-in account are on, once it is known. */
let isOn: boolean | undefined

/** Throws ApiError. */
export async function hasPush(): Promise<boolean> {
  isOn ??= (await loadPush()) !== null
  return isOn
}

/** Null while this browser shows no push notifications of the signed-in account. Throws ApiError. */
export async function loadPush(): Promise<PushSettings | null> {
  const subscription = canPush() ? await subscribed() : null
  if (!subscription) return null
  const known = await read(api.GET('/api/v1/push/subscription')).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  })
  if (known?.endpoint === subscription.endpoint) return known
  // The push service replaced the subscription while another account was in use, or while the server could not be reached.
  if (known) return saveSubscription(subscription, known)
  // The subscription is of the previous account, or `stopPush` was interrupted.
  await release(subscription)
  return null
}

/** Ends the subscription unless the browser has other accounts, which may use it. */
async function release(subscription: PushSubscription | null): Promise<void> {
  if (otherAccountIds.length === 0) await subscription?.unsubscribe()
}

/**
 * Call it on a press of a button: browsers ask for permission then only. Null when the permission was refused. Throws ApiError, and
 * DOMException when the browser has no push service.
 */
export async function startPush(serverKey: string, alerts: PushAlerts): Promise<PushSettings | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null
  const { pushManager } = await navigator.serviceWorker.ready
  const subscription =
    (await subscribed()) ?? (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: serverKey }))
  const started = await saveSubscription(subscription, { alerts, policy: 'all' })
  isOn = true
  return started
}

function saveSubscription(
  subscription: PushSubscription,
  { alerts, policy }: Pick<PushSettings, 'alerts' | 'policy'>,
): Promise<PushSettings> {
  const { endpoint, keys = {} } = subscription.toJSON()
  const body = { subscription: { endpoint: endpoint ?? '', keys, standard: true }, data: { alerts, policy } }
  return read(api.POST('/api/v1/push/subscription', { body }))
}

export function changePush(alerts: PushAlerts, policy: PushPolicy): Promise<PushSettings> {
  return read(api.PUT('/api/v1/push/subscription', { body: { data: { alerts, policy } } }))
}

/**
 * Ends the subscription at the server first, which would otherwise go on sending to it. When the page is closed in between, the request
 * still arrives, and the next `loadPush` ends the subscription in the browser.
 */
export async function stopPush(): Promise<void> {
  await read(api.DELETE('/api/v1/push/subscription', { keepalive: true }))
  isOn = false
  await release(await subscribed())
}
