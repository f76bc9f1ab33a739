import { createHash, randomBytes } from 'node:crypto'
import { link, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pack, type Pack } from 'tar-stream'
import { addFile } from '../../lib/tar.ts'
import {
  BackupError,
  CHECKSUMS_FOLDER,
  hashing,
  MANIFEST,
  MANIFEST_CHECKSUM,
  type Manifest,
  memberNumber,
  MEMBERS_PER_CHECKSUMS,
  sha256,
} from './format.ts'

type Line = `${string}  ${string}\n`
const line = (hash: string, name: string): Line => `${hash}  ${name}\n`

export class ArchiveWriter {
  readonly #pack: Pack
  readonly #written: Promise<void>
  #lines: Line[] = []
  #members = 0
  readonly #checksums: string[] = []
  /** The size of this archive so far. */
  bytes = 0

  constructor(output: Writable) {
    this.#pack = pack()
    this.#written = pipeline(
      this.#pack,
      async function* (this: ArchiveWriter, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
        for await (const chunk of source) {
          this.bytes += chunk.length
          yield chunk
        }
      }.bind(this),
      output,
    )
    this.#written.catch((error: unknown) => this.#pack.destroy(error as Error))
  }

  async add(name: string, data: Buffer | string): Promise<void> {
    await this.#write(name, data)
    await this.#record(name, sha256(data))
  }

  async addStream(name: string, size: number, source: Readable): Promise<void> {
    const hash = createHash('sha256')
    const entry = this.#pack.entry(this.#header(name, size))
    await pipeline(source, (chunks: AsyncIterable<Buffer>) => hashing(chunks, hash), entry as unknown as Writable)
    await this.#record(name, hash.digest('hex'))
  }

  async finish(contents: Omit<Manifest, 'members' | 'checksums'>): Promise<Manifest> {
    await this.#flush()
    const manifest = { ...contents, members: this.#members, checksums: this.#checksums }
    const text = `${JSON.stringify(manifest, null, 1)}\n`
    await this.#write(MANIFEST, text)
    await this.#write(MANIFEST_CHECKSUM, line(sha256(text), MANIFEST))
    this.#pack.finalize()
    await this.#written
    return manifest
  }

  async abort(reason: unknown): Promise<void> {
    this.#pack.destroy(reason as Error)
    await Promise.allSettled([this.#written])
  }

  #write(name: string, data: Buffer | string): Promise<void> {
    return addFile(this.#pack, this.#header(name, Buffer.byteLength(data)), data)
  }

  #header(name: string, size: number): { name: string; size: number; mode: number } {
    return { name, size, mode: 0o600 }
  }

  async #record(name: string, hash: string): Promise<void> {
    this.#members++
    this.#lines.push(line(hash, name))
    if (this.#lines.length >= MEMBERS_PER_CHECKSUMS) await this.#flush()
  }

  async #flush(): Promise<void> {
    if (this.#lines.length === 0) return
    const text = this.#lines.join('')
    const name = `${CHECKSUMS_FOLDER}${memberNumber(this.#checksums.length + 1)}.sha256`
    await this.#write(name, text)
    this.#checksums.push(sha256(text))
    this.#lines = []
  }
}

/** A folder that is missing or belongs to another user, or a full disk. */
const NOT_WRITABLE = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EFBIG'])

/**
 * Writes a file that only its owner may read, which appears under its name when it is complete and durable. Throws BackupError
 * when the name is taken, and when the file cannot be written.
 */
export async function writeWhole<T>(file: string, work: (output: Writable) => Promise<T>): Promise<T> {
  await refuseExisting(file)
  // Another backup may be writing to the same name.
  const unfinished = `${file}.${randomBytes(4).toString('hex')}.part`
  let failure: unknown = null
  try {
    // Flushed when it is closed, which ends the pipeline of the writer.
    const output = (await open(unfinished, 'wx', 0o600)).createWriteStream({ flush: true })
    // The writer goes on for a moment, and then fails because of its own stream.
    output.on('error', (error) => (failure ??= error))
    const result = await work(output)
    await giveName(unfinished, file)
    const folder = await open(dirname(file), 'r')
    await folder.sync().finally(() => folder.close())
    return result
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {})
    const cause = failure ?? error
    const { code = '' } = cause as NodeJS.ErrnoException
    throw NOT_WRITABLE.has(code) ? new BackupError({ reason: 'not_writable', file, code }, cause) : cause
  }
}

/** Of file systems without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/** Throws BackupError when another file has the name: to rename the finished file would replace that one. */
async function giveName(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file)
    await rm(unfinished)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new BackupError({ reason: 'file_exists', file })
    if (!NO_LINKS.has(code)) throw error
    await refuseExisting(file)
    await rename(unfinished, file)
  }
}

async function refuseExisting(file: string): Promise<void> {
  if (await stat(file).catch(() => null)) throw new BackupError({ reason: 'file_exists', file })
}
