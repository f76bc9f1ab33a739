// The data of the signed-in account on this device: small values by name, in IndexedDB.
import { openDB, type IDBPDatabase } from 'idb'
import { accountId } from '../api/session.ts'

const VALUES = 'values'

/** Milliseconds after which a browser that has not opened a database is taken for one without storage. */
const OPEN_LIMIT = 5000

/** The name of a database of an account: each account on this device has its own. */
export const databaseOf = (name: string, id = accountId): string => `rookery-${name}-${id}`

/** Whether the account signs out: a database that is opened after that would stay here. */
let isEnding = false

/** Whether this page opens no further databases from now on. */
export function endStorage(value: boolean): void {
  isEnding = value
}

/**
 * Opens a database of the account when it is first asked for. Null where the browser has no storage, such as in some private windows,
 * for as long as it does not answer, and while `endStorage` says so: the client works without.
 */
export function databaseOpener(name: string, upgrade: (db: IDBPDatabase) => void): () => Promise<IDBPDatabase | null> {
  let opened: Promise<IDBPDatabase | null> | undefined
  let late: Promise<null> | undefined
  const open = async () => {
    try {
      return await openDB(databaseOf(name), 1, {
        upgrade,
        // Signing out deletes it, and must not wait for this page.
        blocking: (_version, _blocked, { target }) => (target as IDBDatabase).close(),
      })
    } catch (error) {
      console.warn(error)
      return null
    }
  }
  return async () => {
    if (isEnding && !opened) return null
    opened ??= open()
    late ??= new Promise<null>((resolve) => setTimeout(() => resolve(null), OPEN_LIMIT))
    return Promise.race([opened, late])
  }
}

const database = databaseOpener('values', (db) => void db.createObjectStore(VALUES))

/**
 * Commits at once: the page may be leaving. What is not committed by then is lost, and in WebKit an open transaction can hold up
 * those of the next page for ever.
 */
export async function putNow(db: IDBPDatabase, store: string, value: unknown, key?: string): Promise<IDBValidKey> {
  const transaction = db.transaction(store, 'readwrite')
  const stored = transaction.store.put(value, key)
  transaction.commit()
  const [storedKey] = await Promise.all([stored, transaction.done])
  return storedKey
}

export async function readStored<T>(name: string): Promise<T | undefined> {
  try {
    const db = await database()
    return (await db?.get(VALUES, name)) as T | undefined
  } catch (error) {
    console.warn(error)
    return undefined
  }
}

/** Milliseconds. */
const READ_LIMIT = 2000

/** For what the first screen waits for: a browser may never answer, and the client must start. */
export function readStoredSoon<T>(name: string): Promise<T | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, READ_LIMIT))
  return Promise.race([readStored<T>(name), late])
}

/** The client works without what it cannot store, such as on a full device. */
export async function writeStored(name: string, value: unknown): Promise<void> {
  try {
    const db = await database()
    if (db) await putNow(db, VALUES, value, name)
  } catch (error) {
    console.warn(error)
  }
}
