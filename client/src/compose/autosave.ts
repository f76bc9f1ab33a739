// Saves the draft in the composer while it is written, and finds it again after the page was closed or reloaded.
import { effect, signal } from '@preact/signals'
import { accountId } from '../api/session.ts'
import { identity } from '../state/me.ts'
import { readItem, writeItem } from '../state/web-storage.ts'
import { currentDraft, isSending } from './current.ts'
import { isEmptyPost, isSameDraft, type Draft } from './draft.ts'
import { readDraft, removeDraft, storeDraft } from './store.ts'

/** Milliseconds after the last change. */
const DELAY = 300

/** The id of the account's draft that a tab of this browser has open; in sessionStorage, this tab. */
const KEY = `rookery.open-draft.${accountId}`

/** As in offline/current-account.ts, which loads before the first timeline. Not set after an account has signed out. */
const CURRENT_ACCOUNT = 'rookery.account'

const isSet = (): boolean => readItem(CURRENT_ACCOUNT) !== null

/** Browsers may refuse to store it, but store drafts. */
const wasSet = isSet()

const lockOf = (id: string): string => `rookery-draft ${id}`

/** The draft as it was opened: without changes, nothing is saved. */
export const openedAs = signal<Draft | null>(null)

let timer: ReturnType<typeof setTimeout> | undefined
let saved: Draft | null = null
let release: (() => void) | null = null

effect(() => {
  const draft = currentDraft.value
  clearTimeout(timer)
  if (draft && draft !== saved && !isSending.value) timer = setTimeout(() => void saveNow(), DELAY)
})

addEventListener('pagehide', () => void saveNow())
document.addEventListener('visibilitychange', () => void saveNow())

export async function saveNow(): Promise<void> {
  clearTimeout(timer)
  const draft = currentDraft.value
  if (!draft || draft === saved || isSending.value) return
  // The account has signed out in another tab, which deletes what the device has stored for it.
  if (wasSet && !isSet()) return
  const isUnchanged = openedAs.value !== null && isSameDraft(draft, openedAs.value)
  if (isUnchanged && saved === null) return
  saved = draft
  if (draft.posts.every(isEmptyPost)) await removeDraft(draft)
  else await storeDraft(draft)
}

/**
 * Locks a draft for as long as this tab has it open. The browser releases the lock when the tab is closed or crashes. From now on, what
 * differs from `before` is saved.
 */
export async function claimDraft(draft: Draft, before: Draft): Promise<void> {
  releaseDraft()
  openedAs.value = before
  saved = null
  writeItem(KEY, draft.id)
  writeItem(KEY, draft.id, 'sessionStorage')
  if (!('locks' in navigator)) return
  await new Promise<void>((claimed) => {
    void navigator.locks.request(lockOf(draft.id), { ifAvailable: true }, (lock) => {
      claimed()
      if (lock) return new Promise<void>((resolve) => (release = resolve))
    })
  })
}

export function releaseDraft(): void {
  release?.()
  release = null
  // Another tab may have opened one since.
  if (openedAs.value?.id === readItem(KEY)) writeItem(KEY, null)
  writeItem(KEY, null, 'sessionStorage')
  openedAs.value = null
}

/** The draft that was open when its tab ended, unless another tab has it open. */
export async function interruptedDraft(): Promise<Draft | null> {
  const id = readItem(KEY)
  const draft = id ? await readDraft(id) : undefined
  if (!draft || draft.accountId !== identity.value?.me.id || draft.state !== 'draft') return null
  return (await isOpenElsewhere(draft.id)) ? null : draft
}

/** Whether another tab has a draft open. Call it before this tab claims it. */
export async function isOpenElsewhere(id: string): Promise<boolean> {
  if (!('locks' in navigator)) return false
  // After a reload, the browser may take a moment to release the lock of the page before.
  if (readItem(KEY, 'sessionStorage') === id) await untilReleased(id)
  const { held } = await navigator.locks.query()
  return held?.some(({ name }) => name === lockOf(id)) ?? false
}

/** Milliseconds that a tab may take to release a draft. */
const RELEASE_WAIT = 2000

/** Resolves once no tab has a draft open. */
export async function untilReleased(id: string): Promise<void> {
  if (!('locks' in navigator)) return
  try {
    await navigator.locks.request(lockOf(id), { signal: AbortSignal.timeout(RELEASE_WAIT) }, () => {})
  } catch (error) {
    // The composer opens a copy.
    console.info(error)
  }
}
