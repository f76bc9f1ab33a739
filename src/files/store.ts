import { createHash, randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'

/** A byte range, both ends included. */
export type ByteRange = { start: number; end: number }

export type StoredFile = {
  size: number
  modified: Date
  /** Opens the content, or a part of it. Whoever calls this reads the stream or destroys it. */
  stream(range?: ByteRange): Readable
}

/** Where uploaded and generated files live. A key is written once and never changes what it holds. */
export type FileStore = {
  /** Stores a copy of a file (its path) or of bytes. When this returns the content survives a power cut; before, nobody sees it. */
  put(key: string, source: string | Buffer, contentType: string): Promise<void>
  /** Keys that are not there are fine. */
  delete(keys: readonly string[]): Promise<void>
  /** Null when there is no such file, or `key` is none. */
  open(key: string): Promise<StoredFile | null>
  /** The public address of a key. */
  url(key: string): string
}

/** `media/3f/a0/1234/original/9c…e1.webp`: grouped by `area` and owner, with a name nobody can guess. */
export function newFileKey(area: string, id: string, variant: string, extension: string): string {
  // Snowflakes of one time share their leading digits; a hash spreads the folders.
  const shard = createHash('sha256').update(id).digest('hex')
  return `${area}/${shard.slice(0, 2)}/${shard.slice(2, 4)}/${id}/${variant}/${randomBytes(16).toString('hex')}.${extension}`
}

/** Whether a file is for its owner only: never served under its address. Its area begins with `private`. */
export const isPrivateKey = (key: string): boolean => key.startsWith('private/')

/** Whether a key is one: no empty, hidden or parent segments, nothing a file system reads in its own way. */
export const isFileKey = (key: string): boolean =>
  key.length <= 512 && /^[a-z0-9][\w.-]*(\/[a-z0-9][\w.-]*)+$/i.test(key)
