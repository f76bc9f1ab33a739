// Push messages of all accounts of this browser: shown while the client is closed, in the language of the account, and opened where
// they belong.
import { CLIENT_LINKS } from '../../api/server-pages.ts'
import { isOnlyAccount, removeShell } from './files.ts'
import { scope, type NotificationClickEvent, type PushMessageEvent } from './scope.ts'

/** As Mastodon sends it. The server writes title and body in the language of the account. */
type PushPayload = {
  preferred_locale: string
  notification_id: number
  notification_type: string
  icon: string
  title: string
  body: string
  /** The account that it is for. */
  recipient: { id: string; username: string }
}

type NotificationDetails = {
  type: string
  account: { acct: string }
  status?: { id: string; account: { acct: string } } | null
  report?: { id: string } | null
}

type KnownSubscription = { alerts: Record<string, boolean>; policy: string; server_key: string }

const SESSION_HEADERS = { authorization: 'Session' }

export async function showPush({ data }: PushMessageEvent): Promise<void> {
  const push = data?.json() as PushPayload | undefined
  if (!push) return
  const { id: account, username } = push.recipient
  const id = String(push.notification_id)
  const name = (await isOnlyAccount(account)) ? '' : `@${username}\n`
  await scope.registration.showNotification(push.title, {
    body: name + push.body,
    icon: push.icon,
    badge: '/assets/icon.png',
    lang: push.preferred_locale,
    tag: id,
    data: { id, account },
  })
}

/** Goes to a window of the client that is open, or opens one. */
export async function openPush({ notification }: NotificationClickEvent): Promise<void> {
  notification.close()
  const { id, account } = notification.data as { id: string; account: string }
  const address = await addressOf(id, account)
  const pages = await scope.clients.matchAll({ type: 'window' })
  const page = pages.find(({ url }) => CLIENT_LINKS.test(new URL(url).pathname))
  if (!page || address.startsWith('/admin')) return void (await scope.clients.openWindow(address))
  // Workers' messages have no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  page.postMessage({ type: 'open', address, account })
  await page.focus()
}

/** Switches to the account that the notification is for. */
async function addressOf(id: string, account: string): Promise<string> {
  try {
    const ask = () => fetch(`/api/v1/notifications/${id}`, { headers: { authorization: `Session ${account}` } })
    let response = await ask()
    if (response.status === 401 && (await switchTo(account))) response = await ask()
    // Signed out of it meanwhile.
    if (response.status === 401) return '/'
    if (!response.ok) return '/notifications'
    const { type, account: from, status, report } = (await response.json()) as NotificationDetails
    if (report) return `/admin/reports/${report.id}`
    if (type === 'follow_request') return '/follow_requests'
    if (status) return `/@${status.account.acct}/${status.id}`
    return type === 'follow' ? `/@${from.acct}` : '/notifications'
  } catch {
    return '/notifications'
  }
}

async function switchTo(account: string): Promise<boolean> {
  await removeShell()
  const options = { redirect: 'manual', body: new URLSearchParams({ account }) } as const
  const { type } = await fetch('/auth/switch', { method: 'POST', headers: SESSION_HEADERS, ...options })
  return type === 'opaqueredirect'
}

/** The push service has replaced the subscription: the server needs the new one, with the alerts that were chosen. */
export async function renewSubscription(): Promise<void> {
  const known = await fetch('/api/v1/push/subscription', { headers: SESSION_HEADERS })
  if (!known.ok) return
  // Not from the old subscription, which some browsers do not give.
  const { alerts, policy, server_key: applicationServerKey } = (await known.json()) as KnownSubscription
  const { pushManager } = scope.registration
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  await fetch('/api/v1/push/subscription', {
    method: 'POST',
    headers: { ...SESSION_HEADERS, 'content-type': 'application/json' },
    body: JSON.stringify({ subscription: { ...subscription.toJSON(), standard: true }, data: { alerts, policy } }),
  })
}
