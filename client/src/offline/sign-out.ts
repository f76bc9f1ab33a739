// Signing out on this device: the session, its token and its push subscription end, and nothing of the account stays here.
import { accountId, otherAccountIds, SESSION_HEADERS } from '../api/session.ts'
import { closeStreams } from '../state/streaming.ts'
import { texts } from '../texts.ts'
import { confirm } from '../ui/confirm.tsx'
import { announceSignOut, closeNotifications, removeAccount, setSigningOut } from './current-account.ts'

export async function signOut(): Promise<void> {
  const t = texts.offline
  const question = { title: t.sign_out_question, text: t.sign_out_explanation, action: t.sign_out, isDanger: true }
  if (!(await confirm({ ...question, act: endSession }))) return
  const removal = removeAccount(accountId)
  announceSignOut()
  // The page to which this one leads offers the others.
  if (otherAccountIds.length === 0) await clearDevice().catch(console.info)
  await removal
  location.assign('/auth/sign_in?notice=signed_out')
}

async function endSession(): Promise<void> {
  const connectAgain = closeStreams()
  setSigningOut(true)
  // Signing out ends the service worker, which alone finds them.
  await closeNotifications(accountId).catch(console.info)
  try {
    // Its answer clears the device even if the page is closed before.
    const options = { redirect: 'manual', keepalive: true } as const
    const response = await fetch('/auth/sign_out', { method: 'POST', headers: SESSION_HEADERS, ...options })
    // The redirect to the page that says so.
    if (response.type !== 'opaqueredirect') throw new Error(`signing out failed with status ${response.status}`)
  } catch (error) {
    setSigningOut(false)
    connectAgain()
    throw error
  }
}

/** The server asks the browser to do so (`Clear-Site-Data`), which not every browser understands. */
async function clearDevice(): Promise<void> {
  localStorage.clear()
  if (!('serviceWorker' in navigator)) return
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager?.getSubscription()
  await subscription?.unsubscribe()
  await registration?.unregister()
  for (const name of await caches.keys()) await caches.delete(name)
}
