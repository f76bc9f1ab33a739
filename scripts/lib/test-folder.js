import { chmodSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const TMPFS = 0x0102_1994
const ROOM = 6 * 1024 ** 3

/**
 * Makes the folder in which a test run keeps all that is temporary: in memory where there is room, since each test file makes
 * a database of some 800 files and drops it again.
 */
export function makeTestFolder() {
  const folder = mkdtempSync(join(hasRoomInMemory() ? '/dev/shm' : tmpdir(), 'rookery-tests-'))
  // PostgreSQL does not run as root. In containers without user namespaces it runs as another user, who must be
  // able to pass through this folder.
  chmodSync(folder, 0o711)
  return folder
}

function hasRoomInMemory() {
  try {
    const { type, bavail, bsize } = statfsSync('/dev/shm')
    return type === TMPFS && bavail * bsize >= ROOM
  } catch {
    return false
  }
}
