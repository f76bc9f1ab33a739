import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Creates a missing folder, and removes the access of other users. False when the folder belongs to another user. */
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

const DAY = 24 * 3600 * 1000

/** Leftovers of a killed process: names that begin with `prefix`, not modified for a day. */
export async function removeStaleFiles(dir: string, prefix: string): Promise<void> {
  const names = await readdir(dir).catch(() => [])
  for (const name of names) {
    if (!name.startsWith(prefix)) continue
    const path = join(dir, name)
    const found = await stat(path).catch(() => null)
    if (found && found.mtimeMs < Date.now() - DAY) await rm(path, { recursive: true, force: true })
  }
}
