import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'

export type Connection = { host: string; port: number; user: string; database: string }

export const DATABASE = 'rookery'
const PORT = 5432
/** In bytes. macOS allows 104 and Linux 108, including the terminating NUL. */
const MAX_SOCKET_PATH = 103

export function connectionTo(socketDir: string, database = DATABASE): Connection {
  return { host: socketDir, port: PORT, user: DATABASE, database }
}

export function connectionUrl(connection: Connection): string {
  return `postgresql://${connection.user}@localhost/${connection.database}?host=${encodeURIComponent(connection.host)}&port=${connection.port}`
}

/** Whether the database runs on this machine for sure: its address is a socket. */
export const isLocal = (url: string): boolean => URL.parse(url)?.searchParams.get('host')?.startsWith('/') ?? false

export function socketFile(socketDir: string): string {
  return join(socketDir, `.s.PGSQL.${PORT}`)
}

/**
 * Only the user that runs PostgreSQL may enter the folder, since access to the socket is all that a connection needs. It is in
 * the data directory, or in the temporary folder if that path is too long.
 */
export function makeSocketDir(dataDir: string, owner: { uid: number; gid: number }): string {
  const inside = join(dataDir, 'run')
  if (Buffer.byteLength(socketFile(inside)) <= MAX_SOCKET_PATH) return giveTo(owner, inside)
  const key = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  const temporary = join(tmpdir(), `rookery-${owner.uid}-${key}`)
  mkdirSync(temporary, { recursive: true, mode: 0o700 })
  // Any user can create folders in the temporary folder, so the owner is checked.
  const found = lstatSync(temporary)
  const isOwn = found.isDirectory() && (found.uid === process.geteuid?.() || found.uid === owner.uid)
  return giveTo(owner, isOwn ? temporary : mkdtempSync(join(tmpdir(), 'rookery-')))
}

function giveTo(owner: { uid: number; gid: number }, folder: string): string {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o700)
  if (process.geteuid?.() === 0) chownSync(folder, owner.uid, owner.gid)
  return folder
}

export function removeSocketDir(dataDir: string, socketDir: string): void {
  if (socketDir.startsWith(dataDir)) return
  try {
    rmdirSync(socketDir)
  } catch {
    // The folder is not empty, or was removed before: both are fine.
  }
}

/** Gives a process a third of the time of another one while both are busy, and all of it otherwise. */
const NICENESS = 5

/**
 * Lowers the priority of a backend of PostgreSQL on this machine, given by its process id. Linux may divide the processors
 * between sessions first, and each backend has one of its own (autogroup). Does nothing where that is impossible.
 */
export function lowerPriority(pid: number): void {
  try {
    if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith('postgres')) return
    setPriority(pid, NICENESS)
    writeFileSync(`/proc/${pid}/autogroup`, String(NICENESS))
  } catch {
    // Another system, no such group, or no permission.
  }
}
