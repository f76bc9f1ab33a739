import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { StartError } from '../lib/errors.ts'
import type { Binaries } from './binaries.ts'
import { DATABASE } from './connection.ts'
import { displayPath, type RunAs } from './run-as.ts'

const VERSION = '18'

export const clusterDirOf = (dataDir: string): string => join(dataDir, 'postgres')

/** Throws StartError when this user may not use the directory. */
export function prepareDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir, 0o700)
    if (!statSync(dataDir).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw dataDirError(dataDir, cause as NodeJS.ErrnoException)
  }
}

/** With `recursive`, mkdirSync never returns below /proc, where every mkdir fails with ENOENT. */
function makeFolder(folder: string, mode: number): void {
  if (existsSync(folder)) return
  if (dirname(folder) !== folder) makeFolder(dirname(folder), 0o755)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

export function dataDirError(dataDir: string, cause: NodeJS.ErrnoException): StartError {
  const remedies: Record<string, string> = {
    EACCES: 'may not be written by this user. Start Rookery as its owner, or set DATA_DIR to another folder.',
    EPERM: 'belongs to another user. Start Rookery as its owner, or set DATA_DIR to another folder.',
    EROFS: 'is on a read-only disk. Set DATA_DIR to a folder that can be written.',
    ENOSPC: 'is on a disk that is full. Free some space.',
    EDQUOT: 'is on a disk whose quota is used up. Free some space.',
    ENOTDIR: 'is not a folder. Set DATA_DIR to one.',
    EEXIST: 'is not a folder. Set DATA_DIR to one.',
  }
  const remedy = remedies[cause.code ?? ''] ?? `cannot be used (${cause.message}). Set DATA_DIR to another folder.`
  return new StartError(`The data directory ${displayPath(dataDir)} ${remedy}`, { cause })
}

/** Returns whether a cluster exists. Throws StartError when this PostgreSQL and this user cannot run it. */
export function checkCluster(dataDir: string): boolean {
  const clusterDir = clusterDirOf(dataDir)
  const found = statSync(clusterDir, { throwIfNoEntry: false })
  if (!found) return false
  const uid = process.geteuid?.()
  if (uid !== 0 && uid !== undefined && found.uid !== uid)
    throw new StartError(
      `${displayPath(clusterDir)} belongs to another user (${found.uid}). Start Rookery as that user, or set DATA_DIR to another folder.`,
    )
  if (!found.isDirectory())
    throw new StartError(`${displayPath(clusterDir)} is not a folder. Move it away, or set DATA_DIR.`)
  const version = readVersion(clusterDir)
  if (version === VERSION) return true
  if (version === null && readdirSync(clusterDir).length === 0) return false
  throw new StartError(
    version === null
      ? `${displayPath(clusterDir)} is not a PostgreSQL data directory (it has no PG_VERSION). Restore it from a backup, or move it away to start empty.`
      : `${displayPath(clusterDir)} was created by PostgreSQL ${version}, and this Rookery includes PostgreSQL ${VERSION}. ` +
          `Make a backup with the Rookery that includes version ${version}, and restore it with this one (docs/admin/upgrade.md).`,
  )
}

function readVersion(clusterDir: string): string | null {
  try {
    return readFileSync(join(clusterDir, 'PG_VERSION'), 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * The cluster has a temporary name until it is complete, so that a crash leaves no broken cluster. `durable` is off in tests
 * only.
 */
export async function createCluster(
  dataDir: string,
  { runAs, binaries, durable }: { runAs: RunAs; binaries: Binaries; durable: boolean },
): Promise<void> {
  const clusterDir = clusterDirOf(dataDir)
  const unfinished = `${clusterDir}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  chmodSync(unfinished, 0o700)
  if (process.geteuid?.() === 0) chownSync(unfinished, runAs.uid, runAs.gid)
  const access = ['--username', DATABASE, '--auth-local=trust', '--auth-host=reject']
  // Sorting by code point needs no library: its next version might sort differently and break indexes.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const args = ['--pgdata', unfinished, ...access, ...locale, '--no-instructions', ...(durable ? [] : ['--no-sync'])]
  const initdb = runAs.spawn(binaries.initdb, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' })
  let output = ''
  initdb.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise((resolve, reject) => initdb.once('error', reject).once('close', resolve))
  if (code !== 0) {
    rmSync(unfinished, { recursive: true, force: true })
    const line = output.match(/(?:FATAL|PANIC|error): *(.*)/)?.[1] ?? output.trim().split('\n').at(-1)
    throw new StartError(
      `PostgreSQL could not create its files in ${displayPath(clusterDir)}: ${line || `initdb ended with ${code}`}`,
    )
  }
  renameSync(unfinished, clusterDir)
}
