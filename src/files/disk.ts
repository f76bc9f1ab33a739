import { randomUUID } from 'node:crypto'
import { createReadStream, type Stats } from 'node:fs'
import {
  access,
  chmod,
  constants,
  copyFile,
  mkdir,
  open,
  opendir,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { StartError } from '../lib/errors.ts'
import { removeStaleFiles } from '../lib/folders.ts'
import { type FileStore, isFileKey } from './store.ts'

/** `http/files.ts` serves the folder `root` at `baseUrl`. Several processes may share a folder. */
export function createDiskStore({ root, baseUrl }: { root: string; baseUrl: string }): FileStore {
  const pending = join(root, '.pending')
  const pathOf = (key: string): string => {
    if (!isFileKey(key)) throw new Error(`not a file key: ${key}`)
    return join(root, key)
  }
  // Ignores errors: an unreadable folder makes the first upload fail.
  removeStaleFiles(pending, '').catch(() => {})

  return {
    check: () => checkFolder(root, pending),

    async put(key, source) {
      const path = pathOf(key)
      await mkdir(pending, { recursive: true, mode: 0o700 })
      const temporary = join(pending, randomUUID())
      try {
        if (typeof source === 'string') await copyFile(source, temporary)
        else await writeFile(temporary, source, { mode: 0o600 })
        // A copy has the mode of its source.
        await chmod(temporary, 0o600)
        await sync(temporary)
        await moveInto(temporary, path)
      } finally {
        await rm(temporary, { force: true })
      }
    },

    async delete(keys) {
      for (const key of keys) {
        await rm(pathOf(key), { force: true })
        await pruneFolders(root, dirname(pathOf(key)))
      }
    },

    async open(key) {
      if (!isFileKey(key)) return null
      const path = pathOf(key)
      const found = await statIfPresent(path)
      if (!found?.isFile()) return null
      return { size: found.size, modified: found.mtime, stream: (range) => createReadStream(path, range) }
    },

    url: (key) => `${baseUrl}/${key}`,

    list: () => listFiles(root, root),
  }
}

async function checkFolder(root: string, pending: string): Promise<void> {
  try {
    await mkdir(pending, { recursive: true, mode: 0o700 })
    await access(pending, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(`Files cannot be stored in ${root} (${code}). Make it writable, or set DATA_DIR.`, {
      cause: error,
    })
  }
}

async function* listFiles(root: string, folder: string): AsyncGenerator<{ key: string; size: number; modified: Date }> {
  const entries = await opendir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  for await (const entry of entries ?? []) {
    const path = join(folder, entry.name)
    const key = relative(root, path).split(sep).join('/')
    if (entry.isDirectory() && !entry.name.startsWith('.')) yield* listFiles(root, path)
    else if (entry.isFile() && isFileKey(key)) {
      const found = await statIfPresent(path)
      // Null: deleted meanwhile.
      if (found) yield { key, size: found.size, modified: found.mtime }
    }
  }
}

const statIfPresent = (path: string): Promise<Stats | null> =>
  stat(path).catch((error: NodeJS.ErrnoException) => {
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(error.code ?? '')) return null
    throw error
  })

async function moveInto(temporary: string, path: string): Promise<void> {
  const folder = dirname(path)
  for (let attempt = 1; ; attempt++) {
    const created = await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      await rename(temporary, path)
    } catch (error) {
      // A simultaneous delete may have pruned the new folder.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' && attempt < 5) continue
      throw error
    }
    // Makes the names of the file and of every new folder durable too.
    const last = created === undefined ? folder : dirname(created)
    for (let at = folder; ; at = dirname(at)) {
      await sync(at)
      if (at === last || at === dirname(at)) return
    }
  }
}

async function pruneFolders(root: string, folder: string): Promise<void> {
  for (let at = folder; relative(root, at) !== ''; at = dirname(at)) {
    const removed = await rmdir(at).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    )
    if (!removed) return
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
