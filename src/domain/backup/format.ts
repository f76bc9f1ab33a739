// The format of a backup: a tar archive of about.json, parts of tables, keys, media, and at its end manifest.json.
import { createHash, type Hash } from 'node:crypto'
import type { TableShape } from './tables.ts'

/** Raised when an older Rookery could not read an archive any more. */
export const FORMAT = 1

export const ABOUT = 'about.json'
export const MANIFEST = 'manifest.json'
/** In the format of sha256sum(1), like the members below `checksums/`. */
export const MANIFEST_CHECKSUM = 'manifest.json.sha256'
export const SECRET_KEY = 'keys/secret_key_base'
export const MEDIA_FOLDER = 'media/'
export const MEDIA_LIST_FOLDER = 'media-list/'
export const TABLES_FOLDER = 'tables/'
export const CHECKSUMS_FOLDER = 'checksums/'

/** One file of checksums covers at most this many members, so that no list grows with the archive. */
export const MEMBERS_PER_CHECKSUMS = 1000

/** Bytes of a table in one member, before compression: tar needs the size of a member before its content. */
export const PART_BYTES = 4 * 1024 * 1024
/** A part may be larger by one row, which PostgreSQL limits to 1 GiB. */
export const MAX_PART_BYTES = 1024 * 1024 * 1024 + PART_BYTES

export type AppliedMigration = { id: string; checksum: string }

/** The first member: enough to refuse an archive before the rest of it is read. */
export type About = {
  format: number
  /** The version of Rookery. */
  rookery: string
  created_at: string
  /** LOCAL_DOMAIN. */
  domain: string
  /** In the order in which they were applied. */
  migrations: AppliedMigration[]
}

export type TableRecord = TableShape & { rows: number; parts: number }

export type Manifest = About & {
  tables: TableRecord[]
  sequences: { name: string; value: string }[]
  /** Stored files that the database names. `included`: the archive contains those that are not copies of remote files. */
  media: { files: number; included: number; bytes: number }
  /** How many members come before the manifest, and the SHA-256 of each file of checksums. */
  members: number
  checksums: string[]
}

/** Why an archive or a server is refused. The texts are in `messages/<language>/cli.ts`. */
export type BackupProblem =
  | { reason: 'file_exists'; file: string }
  | { reason: 'no_file'; file: string }
  | { reason: 'not_writable'; file: string; code: string }
  | { reason: 'not_a_backup'; file: string }
  | { reason: 'damaged'; member: string }
  | { reason: 'incomplete' }
  | { reason: 'newer'; version: string }
  | { reason: 'other_domain'; theirs: string; own: string }
  | { reason: 'other_secret' }
  | { reason: 'no_secret' }
  | { reason: 'not_migrated' }
  | { reason: 'not_empty' }
  | { reason: 'running' }

export class BackupError extends Error {
  override name = 'BackupError'
  readonly problem: BackupProblem

  constructor(problem: BackupProblem, cause?: unknown) {
    super(problem.reason, cause === undefined ? undefined : { cause })
    this.problem = problem
  }
}

export const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex')

/** Passes the chunks on, after it has added them to the hash. */
export async function* hashing(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
}

/** The number in the name of a member: six digits, so that the names have the order of the members. */
export const memberNumber = (n: number): string => String(n).padStart(6, '0')

const NEWLINE = 10

/** COPY's text format escapes line ends within values. */
export function countRows(data: Buffer): number {
  let rows = 0
  for (let at = data.indexOf(NEWLINE); at !== -1; at = data.indexOf(NEWLINE, at + 1)) rows++
  return rows
}
