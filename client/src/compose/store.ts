// Drafts, posts that are not sent yet, and the files that they need: in IndexedDB, so that nothing that was written is lost.
import { computed, signal } from '@preact/signals'
import type { IDBPDatabase } from 'idb'
import { identity } from '../state/me.ts'
import { databaseOpener, putNow } from '../state/storage.ts'
import { writeItem } from '../state/web-storage.ts'
import { randomKey, type Draft, type DraftMedia } from './draft.ts'

const DRAFTS = 'drafts'
const FILES = 'files'

/** Without storage, drafts last as long as the page. */
const database = databaseOpener('compose', (db) => {
  db.createObjectStore(DRAFTS, { keyPath: 'id' })
  db.createObjectStore(FILES)
})

const all = signal<Draft[]>([])

/** Ids of drafts of which only this page has the last version: the device may be full. */
const unsaved = new Set<string>()

/** Undefined, too, when the work fails: what is written must not depend on the device. */
async function withDatabase<T>(work: (db: IDBPDatabase) => Promise<T>): Promise<T | undefined> {
  const db = await database()
  try {
    return db ? await work(db) : undefined
  } catch (error) {
    console.warn(error)
    return undefined
  }
}

const ofViewer = computed(() => all.value.filter(({ accountId }) => accountId === identity.value?.me.id))

/** The viewer's drafts, the last changed one first. */
export const storedDrafts = computed(() => ofViewer.value.filter(({ state }) => state === 'draft'))

/** What was posted without a network or refused later, oldest first. */
export const unsentDrafts = computed(() => ofViewer.value.filter(({ state }) => state !== 'draft').toReversed())

const CHANGED = 'rookery.drafts-changed'

/** Other tabs show the same list. */
const announceChange = (): void => writeItem(CHANGED, randomKey())

addEventListener('storage', ({ key }) => {
  if (key === CHANGED) void loadDrafts()
})

export async function loadDrafts(): Promise<void> {
  const drafts = await withDatabase((db) => db.getAll(DRAFTS) as Promise<Draft[]>)
  if (!drafts) return
  const held = all.value.filter(({ id }) => unsaved.has(id))
  all.value = [...held, ...drafts.filter(({ id }) => !unsaved.has(id))].toSorted((a, b) => b.changedAt - a.changedAt)
}

/** As stored: another tab may have changed or sent it. */
export async function readDraft(id: string): Promise<Draft | undefined> {
  if (unsaved.has(id)) return all.value.find((draft) => draft.id === id)
  return withDatabase((db) => db.get(DRAFTS, id) as Promise<Draft | undefined>)
}

/** Resolves to whether the device has it: otherwise only this page does. */
export async function storeDraft(draft: Draft): Promise<boolean> {
  all.value = [draft, ...all.value.filter(({ id }) => id !== draft.id)].toSorted((a, b) => b.changedAt - a.changedAt)
  const isStored = (await withDatabase((db) => putNow(db, DRAFTS, draft))) !== undefined
  if (isStored) unsaved.delete(draft.id)
  else unsaved.add(draft.id)
  announceChange()
  return isStored
}

/** Whether closing this page would lose a draft: the browser may have no storage, or no room in it. */
export const isOnlyHere = ({ id }: Draft): boolean => unsaved.has(id)

/** The same under another id, not stored yet. Its files are copied, as each draft removes its own. */
export async function copyDraft(draft: Draft): Promise<Draft> {
  const copyMedia = async (media: DraftMedia): Promise<DraftMedia> => {
    const [key, file] = [randomKey(), await readFile(media.key)]
    if (file) await storeFile(key, file)
    return { ...media, key }
  }
  const posts = draft.posts.map(async (post) => ({
    ...post,
    key: randomKey(),
    media: await Promise.all(post.media.map(copyMedia)),
  }))
  return { ...draft, id: randomKey(), posts: await Promise.all(posts) }
}

/** Removes a draft with its files. */
export async function removeDraft(draft: Draft): Promise<void> {
  all.value = all.value.filter(({ id }) => id !== draft.id)
  unsaved.delete(draft.id)
  await withDatabase((db) => db.delete(DRAFTS, draft.id))
  for (const { media } of draft.posts) for (const { key } of media) await removeFile(key)
  announceChange()
}

/** Files of this page: there may be no storage, or no room in it. */
const files = new Map<string, File>()

export async function storeFile(key: string, file: File): Promise<void> {
  files.set(key, file)
  await withDatabase((db) => putNow(db, FILES, file, key))
}

export async function readFile(key: string): Promise<File | undefined> {
  return files.get(key) ?? withDatabase((db) => db.get(FILES, key) as Promise<File | undefined>)
}

export async function removeFile(key: string): Promise<void> {
  files.delete(key)
  await withDatabase((db) => db.delete(FILES, key))
}
