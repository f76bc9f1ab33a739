import { createHash } from 'node:crypto'
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** How the embedded server is reached, in the form that `pg` takes: a unix socket in the folder `host`. */
export type Connection = { host: string; port: number; user: string; database: string }

export const DATABASE = 'rookery'
const PORT = 5432
/** What fits into a socket's address everywhere: 104 bytes on macOS, 108 on Linux, one of them for the end. */
const LONGEST_PATH = 103

/** The connection to `database` through the socket folder. */
export function connectionTo(socketDir: string, database = DATABASE): Connection {
  return { host: socketDir, port: PORT, user: DATABASE, database }
}

/** The same as a URL, as DATABASE_URL would have it. */
export function connectionUrl(connection: Connection): string {
  return `postgresql://${connection.user}@localhost/${connection.database}?host=${encodeURIComponent(connection.host)}&port=${connection.port}`
}

/** Where the socket lies in the folder. */
export function socketFile(socketDir: string): string {
  return join(socketDir, `.s.PGSQL.${PORT}`)
}

/**
 * Makes the folder for the socket, closed to everybody but the user that runs PostgreSQL: who may enter it may connect.
 * It is in the data directory, or under the system's temporary folder where that path would be too long for a socket.
 */
export function makeSocketDir(dataDir: string, owner: { uid: number; gid: number }): string {
  const inside = join(dataDir, 'run')
  if (Buffer.byteLength(socketFile(inside)) <= LONGEST_PATH) return giveTo(owner, inside)
  const key = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  const temporary = join(tmpdir(), `rookery-${owner.uid}-${key}`)
  mkdirSync(temporary, { recursive: true, mode: 0o700 })
  // The temporary folder is everybody's: what lies there under our name may have been laid out by somebody else.
  const found = lstatSync(temporary)
  const ours = found.isDirectory() && (found.uid === process.geteuid?.() || found.uid === owner.uid)
  return giveTo(owner, ours ? temporary : mkdtempSync(join(tmpdir(), 'rookery-')))
}

function giveTo(owner: { uid: number; gid: number }, folder: string): string {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o700)
  if (process.geteuid?.() === 0) chownSync(folder, owner.uid, owner.gid)
  return folder
}

/** Removes the folder when it is not in the data directory. */
export function removeSocketDir(dataDir: string, socketDir: string): void {
  if (socketDir.startsWith(dataDir)) return
  try {
    rmdirSync(socketDir)
  } catch {
    // A folder that is not empty or gone already: both are fine.
  }
}
