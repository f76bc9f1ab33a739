import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { chmodSync, chownSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { StartError } from '../lib/errors.ts'
import { findTool, type Binaries } from './binaries.ts'

/** PostgreSQL refuses to run as root. */
export type RunAs = {
  uid: number
  gid: number
  spawn(file: string, args: string[], options: SpawnOptions): ChildProcess
}

type Way = { uid: number; gid: number; prefix: string[]; identity: { uid?: number; gid?: number } }
type User = { uid: number; gid: number }

/**
 * The cluster in `clusterDir` may be missing; its parent exists. Without root: as this user. With root: as the owner of the
 * cluster; otherwise in a user namespace that gives root another uid, which also works in a folder that only root may enter;
 * otherwise as another user, who then owns the cluster. Throws StartError when nothing works.
 */
export function chooseRunAs(clusterDir: string, binaries: Binaries): RunAs {
  const me = { uid: process.geteuid?.() ?? -1, gid: process.getegid?.() ?? -1 }
  const cluster = statSync(clusterDir, { throwIfNoEntry: false })
  const dataDir = dirname(clusterDir)
  if (me.uid !== 0) return runAs((hasName() ? null : inNamespace(me)) ?? { ...me, prefix: [], identity: {} }, binaries)

  const owner = cluster?.uid ? [cluster] : null
  const namespace = owner ? null : inNamespace(me)
  if (namespace && works(namespace, dataDir, binaries)) return runAs(namespace, binaries)
  // The user must be able to enter the folder; the modes of its other files still protect them.
  chmodSync(dataDir, statSync(dataDir).mode | 0o111)
  const candidates = owner ?? [...ownersOf(dataDir), ...findUsers(['postgres', 'nobody', 'daemon'])]
  const user = candidates.find((candidate) => works(asUser(candidate), dataDir, binaries))
  if (!user)
    throw new StartError(
      `PostgreSQL does not run as root, and ${owner ? `user ${owner[0]?.uid}` : 'no other user'} can reach ${displayPath(dataDir)} and ` +
        'the programs in node_modules. Start Rookery as an ordinary user, or in a folder others may enter, or set DATABASE_URL.',
    )
  if (cluster?.uid === 0) chownTree(clusterDir, user)
  return runAs(asUser(user), binaries)
}

function runAs(way: Way, binaries: Binaries): RunAs {
  return {
    uid: way.uid,
    gid: way.gid,
    spawn(file, args, options) {
      const [command, rest] = prefixed(way, file, args)
      return spawn(command, rest, { ...options, ...way.identity, env: binaries.env })
    },
  }
}

function prefixed({ prefix }: Way, file: string, args: string[]): [string, string[]] {
  const [first, ...rest] = prefix
  return first ? [first, [...rest, file, ...args]] : [file, args]
}

const asUser = ({ uid, gid }: User): Way => ({ uid, gid, prefix: [], identity: { uid, gid } })

/** Maps this user to another uid; null if the system lacks the tool. */
function inNamespace({ uid, gid }: User): Way | null {
  const unshare = findTool('unshare')
  // initdb looks up its user's name, so /etc/passwd must contain the uid.
  const [inside] = findUsers(['daemon', 'bin', 'nobody'])
  if (!unshare || !inside) return null
  return {
    uid,
    gid,
    prefix: [unshare, '--user', `--map-user=${inside.uid}`, `--map-group=${inside.gid}`, '--'],
    identity: {},
  }
}

/** PostgreSQL must run, and enter the data directory. */
function works(way: Way, dataDir: string, binaries: Binaries): boolean {
  const [command, args] = prefixed(way, '/bin/sh', ['-c', 'cd "$0" && exec "$1" --version', dataDir, binaries.postgres])
  return spawnSync(command, args, { ...way.identity, env: binaries.env, cwd: '/', stdio: 'ignore' }).status === 0
}

/** Containers often have no name for the user. */
function hasName(): boolean {
  try {
    return Boolean(userInfo())
  } catch {
    return false
  }
}

/** The nearest first, without root. */
function ownersOf(folder: string): User[] {
  const { uid, gid } = statSync(folder)
  const above = dirname(folder) === folder ? [] : ownersOf(dirname(folder))
  return uid === 0 ? above : [{ uid, gid }, ...above]
}

function findUsers(preferred: string[]): User[] {
  const rank = (name: string) => (preferred.includes(name) ? preferred.indexOf(name) : preferred.length)
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter((user) => user.uid > 0 && user.gid > 0)
    .toSorted((a, b) => rank(a.name) - rank(b.name))
    .slice(0, Math.max(preferred.length, 1))
}

function chownTree(folder: string, user: User): void {
  chownSync(folder, user.uid, user.gid)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) chownTree(path, user)
    else lchownSync(path, user.uid, user.gid)
  }
}

/** Relative to the working directory, such as `data/`; absolute outside of it. */
export function displayPath(folder: string): string {
  const path = relative(process.cwd(), folder)
  return path === '' || path.startsWith('..') || isAbsolute(path) ? folder : `${path}/`
}
