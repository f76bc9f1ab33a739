import { chmodSync, mkdirSync, statSync } from 'node:fs'

/** Makes a folder that only its owner may enter, or closes one that others may. False where it belongs to another user. */
export function makePrivate(folder: string): boolean {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if ((statSync(folder).mode & 0o077) === 0) return true
  try {
    chmodSync(folder, 0o700)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPERM') return false
    throw error
  }
}
