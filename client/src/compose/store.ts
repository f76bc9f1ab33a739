// Drafts, posts that are not sent yet, and the files that they need: in IndexedDB, so that nothing that was written is lost.
import { computed, signal } from '@preact/signals'
import { openDB, type IDBPDatabase } from 'idb'
import { identity } from '../state/me.ts'
import { databaseOf } from '../state/storage.ts'
import { randomKey, type Draft } from './draft.ts'

const DRAFTS = 'drafts'
const FILES = 'files'

let opened: Promise<IDBPDatabase | null> | undefined

/** Null where the browser has no storage: drafts then last as long as the page. */
function database(): Promise<IDBPDatabase | null> {
  opened ??= openDB(databaseOf('compose'), 1, {
    upgrade(db) {
      db.createObjectStore(DRAFTS, { keyPath: 'id' })
      db.createObjectStore(FILES)
    },
    // Signing out deletes it, and must not wait for this page.
    blocking: (_version, _blocked, { target }) => (target as IDBDatabase).close(),
  }).catch((error: unknown) => {
    console.warn(error)
    return null
  })
  return opened
}

const all = signal<Draft[]>([])

const ofViewer = computed(() => all.value.filter(({ accountId }) => accountId === identity.value?.me.id))

/** The viewer's drafts, the last changed one first. */
export const storedDrafts = computed(() => ofViewer.value.filter(({ state }) => state === 'draft'))

/** What was posted without a network or refused later, oldest first. */
export const unsentDrafts = computed(() => ofViewer.value.filter(({ state }) => state !== 'draft').toReversed())

const CHANGED = 'rookery.drafts-changed'

/** Other tabs show the same list. */
function announceChange(): void {
  try {
    localStorage.setItem(CHANGED, randomKey())
  } catch (error) {
    console.info(error)
  }
}

addEventListener('storage', ({ key }) => {
  if (key === CHANGED) void loadDrafts()
})

export async function loadDrafts(): Promise<void> {
  const db = await database()
  if (!db) return
  const drafts = (await db.getAll(DRAFTS)) as Draft[]
  all.value = drafts.toSorted((a, b) => b.changedAt - a.changedAt)
}

/** As stored: another tab may have changed or sent it. */
export async function readDraft(id: string): Promise<Draft | undefined> {
  const db = await database()
  return db ? ((await db.get(DRAFTS, id)) as Draft | undefined) : all.value.find((draft) => draft.id === id)
}

export async function storeDraft(draft: Draft): Promise<void> {
  all.value = [draft, ...all.value.filter(({ id }) => id !== draft.id)].toSorted((a, b) => b.changedAt - a.changedAt)
  await (await database())?.put(DRAFTS, draft)
  announceChange()
}

/** Removes a draft with its files. */
export async function removeDraft(draft: Draft): Promise<void> {
  all.value = all.value.filter(({ id }) => id !== draft.id)
  const db = await database()
  await db?.delete(DRAFTS, draft.id)
  for (const { media } of draft.posts) for (const { key } of media) await db?.delete(FILES, key)
  announceChange()
}

/** Files of this page, for browsers without storage. */
const held = new Map<string, File>()

export async function storeFile(key: string, file: File): Promise<void> {
  held.set(key, file)
  try {
    await (await database())?.put(FILES, file, key)
  } catch (error) {
    // The device may be full. The file is still in memory.
    console.warn(error)
  }
}

export async function readFile(key: string): Promise<File | undefined> {
  return held.get(key) ?? ((await (await database())?.get(FILES, key)) as File | undefined)
}

export async function removeFile(key: string): Promise<void> {
  held.delete(key)
  await (await database())?.delete(FILES, key)
}
