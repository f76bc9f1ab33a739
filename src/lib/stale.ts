import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const DAY = 24 * 3600 * 1000

/** Removes temporary files and folders that a killed process left in `dir`: named `prefix…`, untouched for a day. No folder, no work. */
export async function removeStaleFiles(dir: string, prefix: string): Promise<void> {
  const names = await readdir(dir).catch(() => [])
  for (const name of names) {
    if (!name.startsWith(prefix)) continue
    const path = join(dir, name)
    const found = await stat(path).catch(() => null)
    if (found && found.mtimeMs < Date.now() - DAY) await rm(path, { recursive: true, force: true })
  }
}
