// The account that this browser uses: one at a time, in all tabs. Each account has its own data on this device.
import { deleteDB } from 'idb'
import { ApiError } from '../api/client.ts'
import { ACCOUNTS_PAGE } from '../api/server-pages.ts'
import { accountId, SESSION_HEADERS } from '../api/session.ts'
import { hasUnsavedChanges } from '../state/form-draft.ts'
import { dropOtherAccount } from '../state/other-accounts.ts'
import { databaseOf, endStorage } from '../state/storage.ts'
import { closeStreams } from '../state/streaming.ts'
import { writeItem } from '../state/web-storage.ts'
import { texts } from '../texts.ts'
import { showToast } from '../ui/toasts.tsx'

/** The account that opened the client last on this device. */
const CURRENT = 'rookery.account'

/** The cookie with which the server names accounts that signed out of this browser while others stayed. */
const SIGNED_OUT = `${location.protocol === 'https:' ? '__Host-' : ''}rookery_left`

/** Milliseconds. */
const DELETION_LIMIT = 1000

/** Called once. A page of one account must not stay open beside that of another: its requests are refused anyway. */
export function followAccount(): void {
  writeItem(CURRENT, accountId)
  // Signing out of the last account removes all keys.
  addEventListener('storage', ({ key }) => (key === CURRENT || key === null) && leaveIfChanged())
  // A page that was in the browser's back/forward cache has missed the event.
  addEventListener('pageshow', ({ persisted }) => persisted && leaveIfChanged())
}

/** Whether this page signs out itself, and goes to another page afterwards. */
let isSigningOut = false

export function setSigningOut(value: boolean): void {
  isSigningOut = value
  endStorage(value)
}

/** Also after the account has signed out: the server then shows the page for signing in. */
function leaveIfChanged(): void {
  if (isSigningOut) return
  const current = localStorage.getItem(CURRENT)
  if (current === null || signedOutAccounts().includes(accountId)) {
    endStorage(true)
    // This page may have stored something since.
    void removeAccount(accountId).then(() => location.reload())
  } else if (current !== accountId) void saveDraft().then(() => location.reload())
}

/** Other tabs leave the account. */
export const announceSignOut = (): void => writeItem(CURRENT, null)

/** Opens `address` as the other account, in all tabs. Throws ApiError. */
export async function switchAccount(id: string, address = '/'): Promise<void> {
  // The browser asks before it leaves the page, which must be before the switch.
  if (hasUnsavedChanges()) return location.assign(ACCOUNTS_PAGE)
  await saveDraft()
  const connectAgain = closeStreams()
  const isSwitched = await requestSwitch(id).catch((error: unknown) => {
    connectAgain()
    throw error
  })
  if (isSwitched) {
    writeItem(CURRENT, id)
    location.assign(address)
  } else {
    connectAgain()
    dropOtherAccount(id)
    showToast(texts.offline.account_gone, { link: { label: texts.frame.sign_in, href: ACCOUNTS_PAGE } })
  }
}

/** False when the account is signed out. */
async function requestSwitch(id: string): Promise<boolean> {
  // The answer redirects to a page, which `fetch` must not load.
  const options = { redirect: 'manual', body: new URLSearchParams({ account: id }) } as const
  let response: Response
  try {
    response = await fetch('/auth/switch', { method: 'POST', headers: SESSION_HEADERS, ...options })
  } catch {
    throw new ApiError(0, '')
  }
  if (response.type === 'opaqueredirect') return true
  if (response.status === 404) return false
  throw new ApiError(response.status, '')
}

export async function saveDraft(): Promise<void> {
  try {
    const { saveNow } = await import('../compose/autosave.ts')
    await saveNow()
  } catch (error) {
    // Without its code, no composer is open.
    console.info(error)
  }
}

/**
 * Deletes what this device has stored for an account. Values in localStorage and sessionStorage whose names end with its id are its
 * own, too. Waits until all is gone, but not for another tab that does not answer.
 */
export async function removeAccount(id: string): Promise<void> {
  const deletions = ['values', 'compose'].map((name) => deleteDB(databaseOf(name, id)))
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage)) if (key.endsWith(`.${id}`)) storage.removeItem(key)
  const limit = new Promise((resolve) => setTimeout(resolve, DELETION_LIMIT))
  await Promise.race([Promise.allSettled(deletions), limit])
}

/** Closes what the system still shows of an account, such as the text of a private mention. */
export async function closeNotifications(id: string): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const shown of (await registration?.getNotifications()) ?? [])
    if ((shown.data as { account: string }).account === id) shown.close()
}

/** Accounts that signed out on a page of the server. */
function signedOutAccounts(): string[] {
  const cookie = document.cookie.split('; ').find((each) => each.startsWith(`${SIGNED_OUT}=`))
  return cookie === undefined ? [] : cookie.slice(SIGNED_OUT.length + 1).split('.')
}

export function removeSignedOutAccounts(): void {
  const signedOut = signedOutAccounts()
  if (signedOut.length === 0) return
  for (const id of signedOut) {
    if (!/^\d+$/.test(id) || id === accountId) continue
    void removeAccount(id)
    closeNotifications(id).catch(console.info)
  }
  document.cookie = `${SIGNED_OUT}=; path=/; max-age=0; samesite=lax${location.protocol === 'https:' ? '; secure' : ''}`
}
