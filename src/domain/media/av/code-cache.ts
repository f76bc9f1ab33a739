// The code of the media process as Node has compiled it. Compiling it takes longer than most of the work.
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

/** The folder of Node's compile cache in the working directory of the process. */
export const CODE_CACHE = 'code'

/** Contents by path in the working directory. */
export type CodeCache = Map<string, Buffer>

/**
 * Adds what a process has compiled. `work` is the working directory of one that has read no upload: a crafted file may take a
 * process over, and change the code.
 */
export async function readCodeCache(work: string, code: CodeCache): Promise<void> {
  const folder = join(work, CODE_CACHE)
  // Node writes none where the process cannot reach its working directory by name.
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
  await Promise.all(paths.map(async (path) => code.set(relative(work, path), await readFile(path))))
}

/** Each process gets a copy, so that none changes the code of another. */
export async function writeCodeCache(work: string, code: CodeCache): Promise<void> {
  const folders = new Set([...code.keys()].map(dirname))
  await Promise.all([...folders].map((folder) => mkdir(join(work, folder), { recursive: true, mode: 0o700 })))
  await Promise.all([...code].map(([path, bytes]) => writeFile(join(work, path), bytes)))
}
