// Small texts in localStorage or sessionStorage, which are there at once. Browsers may refuse both: the client works without.

type StorageName = 'localStorage' | 'sessionStorage'

export function readItem(name: string, storage: StorageName = 'localStorage'): string | null {
  try {
    return window[storage].getItem(name)
  } catch {
    return null
  }
}

/** Null removes it. */
export function writeItem(name: string, value: string | null, storage: StorageName = 'localStorage'): void {
  try {
    if (value === null) window[storage].removeItem(name)
    else window[storage].setItem(name, value)
  } catch (error) {
    console.warn(error)
  }
}
