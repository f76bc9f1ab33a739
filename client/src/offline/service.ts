// Starts the service worker, and other work that can wait until the first screen is painted.
import { effect } from '@preact/signals'
import { hasSessionEnded, isConnected } from '../api/connection.ts'
import { accountId } from '../api/session.ts'
import { loadOtherAccounts } from '../state/other-accounts.ts'
import { subscribe } from '../state/streaming.ts'
import { showError } from '../ui/toasts.tsx'
import { loadBrokenMedia, retryImages } from './broken-media.ts'
import { followAccount, removeSignedOutAccounts, saveDraft, switchAccount } from './current-account.ts'
import { isUpdateReady } from './update.ts'

/** Milliseconds between checks for a new version while the page is in use. */
const UPDATE_INTERVAL = 3_600_000

export function startOffline(): void {
  followAccount()
  removeSignedOutAccounts()
  effect(() => {
    if (!isConnected.value) return
    loadOtherAccounts().catch(console.info)
    loadBrokenMedia()
  })
  retryImages()
  // While a server restarts, the proxy before it answers.
  subscribe({ names: [], onEvent: () => {}, onConnect: loadBrokenMedia })
  // A file of this version is gone, as the server has a new one. Without a network it was never stored on this device.
  addEventListener('vite:preloadError', () => (isUpdateReady.value ||= isConnected.value))
  if (import.meta.env.PROD && 'serviceWorker' in navigator) register().catch(console.info)
}

async function register(): Promise<void> {
  const registration = (await navigator.serviceWorker.register('/sw.js')) as ServiceWorkerRegistration | undefined
  // Browsers in which the user has disabled service workers return undefined.
  if (!registration) return
  const showWaiting = () => (isUpdateReady.value ||= registration.waiting !== null && registration.active !== null)
  showWaiting()
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', showWaiting)
  })
  let checkedAt = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - checkedAt < UPDATE_INTERVAL) return
    checkedAt = Date.now()
    registration.update().catch(console.info)
  })
  navigator.serviceWorker.addEventListener('message', ({ data }) => open(data))
  const { active } = await navigator.serviceWorker.ready
  const used = performance.getEntriesByType('resource').map(({ name }) => new URL(name))
  const own = used.filter(({ origin }) => origin === location.origin).map(({ pathname }) => pathname)
  // Workers' messages have no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  active?.postMessage({ type: 'loaded', used: [...new Set(own)] })
  // As above.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  effect(() => void (hasSessionEnded.value && active?.postMessage({ type: 'session-ended' })))
}

/** A notification was clicked, perhaps one of another account. The router follows links. */
function open(data: unknown): void {
  const { type, address, account } = data as { type?: string; address?: string; account?: string }
  if (type !== 'open' || !address) return
  if (account !== undefined && account !== accountId) return void switchAccount(account, address).catch(showError)
  const link = Object.assign(document.createElement('a'), { href: address, hidden: true })
  document.body.append(link)
  link.click()
  link.remove()
}

export async function reloadToUpdate(): Promise<void> {
  await saveDraft()
  const registration = await navigator.serviceWorker?.getRegistration()
  const { waiting } = registration ?? {}
  if (!waiting) return location.reload()
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
  // Workers' messages have no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  waiting.postMessage({ type: 'activate' })
}
