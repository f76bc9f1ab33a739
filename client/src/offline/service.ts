// Starts the service worker, and other work that can wait until the first screen is painted.
import { effect } from '@preact/signals'
import { hasSessionEnded, isConnected } from '../api/connection.ts'
import { accountId } from '../api/session.ts'
import { loadOtherAccounts } from '../state/other-accounts.ts'
import { subscribe } from '../state/streaming.ts'
import { texts } from '../texts.ts'
import { showError } from '../ui/toasts.tsx'
import { loadBrokenMedia, retryImages } from './broken-media.ts'
import { followAccount, removeSignedOutAccounts, saveDraft, switchAccount } from './current-account.ts'
import { updateNotice } from './update.ts'

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
  addEventListener('vite:preloadError', () => void explainLostCode().catch(console.info))
  if (import.meta.env.PROD && 'serviceWorker' in navigator) register().catch(console.info)
}

function offerUpdate(): void {
  updateNotice.value = { text: texts.update.ready, action: texts.update.reload_to_update, act: reloadToUpdate }
}

/** Browsers remember that a module could not be loaded. The server may no longer have it, as it has a new version. */
async function explainLostCode(): Promise<void> {
  const response = await fetch('/home', { headers: { accept: 'text/html' } })
  const [entry = ''] = /\/client\/assets\/[^"]+\.js/.exec(await response.text()) ?? []
  if (!response.ok || entry === '') return
  if (!document.querySelector(`script[src="${entry}"]`)) offerUpdate()
  else updateNotice.value ??= { text: texts.update.incomplete, action: texts.update.reload, act: reloadToUpdate }
}

async function register(): Promise<void> {
  const registration = (await navigator.serviceWorker.register('/sw.js')) as ServiceWorkerRegistration | undefined
  // Browsers in which the user has disabled service workers return undefined.
  if (!registration) return
  const showWaiting = () => void (registration.waiting && registration.active && offerUpdate())
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

async function reloadToUpdate(): Promise<void> {
  await saveDraft()
  const registration = await navigator.serviceWorker?.getRegistration()
  const { waiting } = registration ?? {}
  if (!waiting) return location.reload()
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
  // Workers' messages have no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  waiting.postMessage({ type: 'activate' })
}
