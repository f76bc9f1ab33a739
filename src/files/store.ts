import { createHash, randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'

/** Both ends are included. */
export type ByteRange = { start: number; end: number }

export type StoredFile = {
  size: number
  modified: Date
  /**
   * Without `range`, streams the whole content. The caller reads or destroys the stream. Its error has the code ENOENT when the
   * file was deleted before it was opened.
   */
  stream(range?: ByteRange): Readable
}

/** The content of a key never changes. */
export type FileStore = {
  /** Throws StartError when nothing can be stored until someone changes that, and Unavailable during an outage. */
  check(): Promise<void>
  /** `source`: a path or bytes. The content becomes visible when it is durable. */
  put(key: string, source: string | Buffer, contentType: string): Promise<void>
  /** Ignores unknown keys. */
  delete(keys: readonly string[]): Promise<void>
  /** Null for an unknown or invalid key. */
  open(key: string): Promise<StoredFile | null>
  url(key: string): string
  /** All files, in no order. Files that come or go meanwhile may be missing. */
  list(): AsyncIterable<{ key: string; size: number; modified: Date }>
}

/** Such as `media/3f/a0/1234/original/9c…e1.webp`: grouped by `area` and owner, with a random name. */
export function newFileKey(area: string, id: string, variant: string, extension: string): string {
  // Snowflakes of one time share their leading digits; a hash distributes them over the folders.
  const shard = createHash('sha256').update(id).digest('hex')
  return `${area}/${shard.slice(0, 2)}/${shard.slice(2, 4)}/${id}/${variant}/${randomBytes(16).toString('hex')}.${extension}`
}

/** The parts that `newFileKey` put into a key: the last part of `area`, and `id`. For other keys, `id` is empty. */
export function partsOfKey(key: string): { area: string; id: string } {
  const [area = '', , , id = ''] = key.split('/').slice(-6)
  return { area, id }
}

/** A private file has no public address: its area begins with `private`. */
export const isPrivateKey = (key: string): boolean => key.startsWith('private/')

export const isFileKey = (key: string): boolean =>
  key.length <= 512 && /^[a-z0-9][\w.-]*(\/[a-z0-9][\w.-]*)+$/i.test(key)
