import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import {
  ABOUT,
  type About,
  BackupError,
  CHECKSUMS_FOLDER,
  countRows,
  FORMAT,
  hashing,
  MANIFEST,
  MANIFEST_CHECKSUM,
  type Manifest,
  MAX_PART_BYTES,
  MEMBERS_PER_CHECKSUMS,
  sha256,
  TABLES_FOLDER,
} from './format.ts'

const unzip = promisify(gunzip)

/** Callbacks for the contents of an archive. They run in the order of the archive. */
export type ArchiveReceiver = {
  about?(about: About): Promise<void> | void
  /** A piece of a table, in COPY's text format. */
  part?(table: string, data: Buffer): Promise<void>
  /** Read the content to its end. */
  member?(name: string, content: AsyncIterable<Buffer>): Promise<void>
  progress?(bytes: number): void
}

type Counted = Map<string, { rows: number; parts: number }>

/**
 * Reads an archive once and checks all of it: the checksum of every member, that none is missing, and the number of rows. Throws
 * BackupError. The receiver sees members before the archive is known to be whole.
 */
export async function readArchive(file: string, receiver: ArchiveReceiver = {}): Promise<Manifest> {
  const input = createReadStream(file, { highWaterMark: 1024 * 1024 })
  const archive = extract()
  input.on('error', (error) => archive.destroy(error))
  input.pipe(archive as never)
  const state: ReadState = { pending: new Map(), checksums: [], members: 0, tables: new Map(), about: null }
  let manifest: { text: Buffer; name: string } | null = null
  let sealed = false
  try {
    for await (const entry of archive) {
      const { name, size = 0 } = entry.header
      receiver.progress?.(input.bytesRead)
      if (state.about === null && name !== ABOUT) throw new BackupError({ reason: 'not_a_backup', file })
      if (sealed) throw new BackupError({ reason: 'damaged', member: name })
      const content = entry as unknown as AsyncIterable<Buffer>
      if (name === MANIFEST) manifest = { text: await readText(name, size, content), name }
      else if (name === MANIFEST_CHECKSUM && manifest) {
        const expected = `${sha256(manifest.text)}  ${MANIFEST}\n`
        if ((await readText(name, size, content)).toString() !== expected)
          throw new BackupError({ reason: 'damaged', member: MANIFEST })
        sealed = true
      } else if (manifest) throw new BackupError({ reason: 'damaged', member: name })
      else if (name.startsWith(CHECKSUMS_FOLDER)) checkSegment(state, await readText(name, size, content), name)
      else await readMember(state, receiver, { name, size, content })
    }
  } catch (error) {
    throw asBackupError(error, file, state)
  } finally {
    input.destroy()
  }
  if (state.about === null) throw new BackupError({ reason: 'not_a_backup', file })
  if (!manifest || !sealed) throw new BackupError({ reason: 'incomplete' })
  return compare(state, parse<Manifest>(MANIFEST, manifest.text))
}

type ReadState = {
  /** Members whose checksums are still to come. */
  pending: Map<string, string>
  checksums: string[]
  members: number
  tables: Counted
  about: About | null
}

/** The tar library has no codes for its errors: any before the manifest means that the rest cannot be read. */
function asBackupError(error: unknown, file: string, { about }: ReadState): unknown {
  if (error instanceof BackupError) return error
  const { code, message = '' } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'EISDIR') return new BackupError({ reason: 'no_file', file }, error)
  if (/unexpected end|invalid tar header|premature close|writable stream closed/i.test(message))
    return new BackupError(about === null ? { reason: 'not_a_backup', file } : { reason: 'incomplete' }, error)
  return error
}

async function readMember(
  state: ReadState,
  receiver: ArchiveReceiver,
  { name, size, content }: { name: string; size: number; content: AsyncIterable<Buffer> },
): Promise<void> {
  if (state.pending.has(name) || state.pending.size >= MEMBERS_PER_CHECKSUMS)
    throw new BackupError({ reason: 'damaged', member: name })
  state.members++
  const [, table] = /^tables\/([\w.]+)\/\d+\.copy\.gz$/.exec(name) ?? []
  if (name.startsWith(TABLES_FOLDER) && table !== undefined) {
    const packed = await readText(name, size, content)
    state.pending.set(name, sha256(packed))
    const data = await unzip(packed, { maxOutputLength: MAX_PART_BYTES }).catch((cause: unknown) => {
      throw new BackupError({ reason: 'damaged', member: name }, cause)
    })
    const counted = state.tables.get(table) ?? { rows: 0, parts: 0 }
    counted.parts++
    counted.rows += countRows(data)
    state.tables.set(table, counted)
    await receiver.part?.(table, data)
    return
  }
  if (name === ABOUT) {
    const text = await readText(name, size, content)
    state.pending.set(name, sha256(text))
    state.about = checkAbout(parse<About>(name, text))
    await receiver.about?.(state.about)
    return
  }
  const hash = createHash('sha256')
  if (receiver.member) await receiver.member(name, hashing(content, hash))
  else for await (const chunk of content) hash.update(chunk)
  state.pending.set(name, hash.digest('hex'))
}

async function readText(name: string, size: number, content: AsyncIterable<Buffer>): Promise<Buffer> {
  if (size > MAX_PART_BYTES) throw new BackupError({ reason: 'damaged', member: name })
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function parse<T>(name: string, text: Buffer): T {
  try {
    return JSON.parse(text.toString()) as T
  } catch (cause) {
    throw new BackupError({ reason: 'damaged', member: name }, cause)
  }
}

function checkAbout(about: About): About {
  if (!Number.isInteger(about.format) || !Array.isArray(about.migrations))
    throw new BackupError({ reason: 'damaged', member: ABOUT })
  if (about.format > FORMAT) throw new BackupError({ reason: 'newer', version: String(about.rookery) })
  return about
}

/** The file lists exactly the members since the last one. */
function checkSegment(state: ReadState, text: Buffer, name: string): void {
  const lines = text.toString().split('\n').filter(Boolean)
  for (const line of lines) {
    const [hash, member = ''] = line.split('  ')
    if (state.pending.get(member) !== hash) throw new BackupError({ reason: 'damaged', member: member || name })
    state.pending.delete(member)
  }
  const [extra] = state.pending.keys()
  if (extra !== undefined) throw new BackupError({ reason: 'damaged', member: extra })
  state.checksums.push(sha256(text))
}

function compare(state: ReadState, manifest: Manifest): Manifest {
  const { pending, checksums, members, tables, about } = state
  if (pending.size > 0 || members !== manifest.members) throw new BackupError({ reason: 'incomplete' })
  if (checksums.join() !== manifest.checksums.join()) throw new BackupError({ reason: 'incomplete' })
  if (JSON.stringify(about?.migrations) !== JSON.stringify(manifest.migrations))
    throw new BackupError({ reason: 'damaged', member: ABOUT })
  for (const { name, rows, parts } of manifest.tables) {
    const found = tables.get(name) ?? { rows: 0, parts: 0 }
    if (found.rows !== rows || found.parts !== parts)
      throw new BackupError({ reason: 'damaged', member: `${TABLES_FOLDER}${name}` })
  }
  return manifest
}
