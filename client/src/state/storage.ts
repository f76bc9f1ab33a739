// What this device stores of the signed-in account: small values by name, in IndexedDB.
import { openDB, type IDBPDatabase } from 'idb'

const VALUES = 'values'

let opened: Promise<IDBPDatabase | null> | undefined

/** Null where the browser has no storage, such as in some private windows: the client works without. */
function database(): Promise<IDBPDatabase | null> {
  opened ??= openDB('rookery', 1, { upgrade: (db) => void db.createObjectStore(VALUES) }).catch((error: unknown) => {
    console.warn(error)
    return null
  })
  return opened
}

export async function readStored<T>(name: string): Promise<T | undefined> {
  return (await database())?.get(VALUES, name) as Promise<T | undefined>
}

export async function writeStored(name: string, value: unknown): Promise<void> {
  await (await database())?.put(VALUES, value, name)
}

export async function deleteStored(name: string): Promise<void> {
  await (await database())?.delete(VALUES, name)
}
