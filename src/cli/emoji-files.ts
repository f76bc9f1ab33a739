// Emojis in folders, archives and single files.
import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { addFile } from '../lib/tar.ts'

/** `data` is null for a file that is larger than `maxBytes`. */
export type EmojiFile = { name: string; data: Buffer | null }

const EXTENSIONS = new Set(['.png', '.gif', '.webp'])
const MAX_FILES = 10_000
/** Unpacked bytes of an archive; files that are no emojis count too. */
const MAX_ARCHIVE = 2 * 1024 * 1024 * 1024

/** Null for files that are not emojis, and for the hidden ones that some systems add. */
function nameOf(path: string): string | null {
  const file = basename(path)
  return EXTENSIONS.has(extname(file).toLowerCase()) && !file.startsWith('.') ? basename(file, extname(file)) : null
}

/**
 * The images in a folder, or in a tar archive, which may be compressed with gzip, or a single one. Throws errors of the file
 * system.
 */
export async function* readEmojiFiles(path: string, maxBytes: number): AsyncGenerator<EmojiFile> {
  if ((await stat(path)).isDirectory()) yield* readFolder(path, maxBytes)
  else if (nameOf(path) !== null) yield* readImage(path, maxBytes)
  else yield* readArchive(path, maxBytes)
}

async function* readFolder(folder: string, maxBytes: number): AsyncGenerator<EmojiFile> {
  for (const file of (await readdir(folder)).toSorted().slice(0, MAX_FILES))
    if ((await stat(join(folder, file)).catch(() => null))?.isFile()) yield* readImage(join(folder, file), maxBytes)
}

async function* readImage(path: string, maxBytes: number): AsyncGenerator<EmojiFile> {
  const name = nameOf(path)
  if (name === null) return
  const { size } = await stat(path)
  yield { name, data: size > maxBytes ? null : await readFile(path) }
}

async function* readArchive(path: string, maxBytes: number): AsyncGenerator<EmojiFile> {
  const tar = extract()
  const reading = pipeline(
    (await isGzip(path)) ? createReadStream(path).pipe(createGunzip()) : createReadStream(path),
    tar,
  )
  // The loop below sees the error as well.
  reading.catch(() => {})
  let [count, bytes] = [0, 0]
  for await (const entry of tar) {
    const { header } = entry
    bytes += header.size ?? 0
    const name = header.type === 'file' ? nameOf(header.name) : null
    if (bytes > MAX_ARCHIVE || (name !== null && ++count > MAX_FILES)) throw new RangeError('the archive is too large')
    if (name !== null && (header.size ?? 0) <= maxBytes) yield { name, data: await collect(entry) }
    else {
      entry.resume()
      if (name !== null) yield { name, data: null }
    }
  }
  await reading
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return buffer[0] === 0x1f && buffer[1] === 0x8b
  } finally {
    await file.close()
  }
}

async function collect(stream: Readable | AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Writes a tar.gz, which appears under its name when it is complete. */
export async function writeEmojiArchive(
  path: string,
  emojis: AsyncIterable<{ file: string; content: Readable }>,
): Promise<void> {
  const unfinished = `${path}.${randomBytes(4).toString('hex')}.part`
  const archive = pack()
  try {
    const writing = pipeline(archive, createGzip(), createWriteStream(unfinished, { flags: 'wx' }))
    const filling = (async () => {
      for await (const { file, content } of emojis) await addFile(archive, { name: file }, await collect(content))
      archive.finalize()
    })()
    filling.catch((error: unknown) => archive.destroy(error as Error))
    await Promise.all([writing, filling])
    await rename(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
}
