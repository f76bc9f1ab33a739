// The sandbox that separates the process which decodes uploads from the rest of the machine.
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve, sep } from 'node:path'
import { CODE_CACHE } from './code-cache.ts'
import type { MediaTask } from './protocol.ts'
import { findTool } from '../../../postgres/binaries.ts'

/** What the operating system adds to Node's permission model, which native code does not obey. */
export type Sandbox = 'namespaces' | 'user' | 'permissions'

export type Confined = {
  sandbox: Sandbox
  /** The working directory: the only folder that the process can write to. */
  work: string
  /** An empty folder that becomes the root of the process's file system. */
  root: string
  /** The open file that becomes the process's descriptor 3. */
  source: number
  /** Must not be readable. */
  dataDir: string
}

/** A user without a name or files, from systemd's range for dynamic users. */
const MEDIA_USER = 61_337
/** The work folder inside `namespaces`. */
const WORK = '/rookery-media'
/**
 * Writable memory, of which the runtime requests 0.6 GB without using it. Address space cannot be limited, as the runtime
 * reserves far more of it.
 */
const MEMORY_KB = 2 * 1024 * 1024
/** Size of a result on disk, in bytes. */
const MAX_RESULT = 256 * 1024 * 1024
const HEAP_MB = 192
/** Of work that a client waits for. The time in which the process waits for a processor does not count. */
const CPU_SECONDS = 20

const PROJECT = realpathSync(join(import.meta.dirname, '../../../..'))
const MODULES = join(PROJECT, 'node_modules')
const CHILD = join(PROJECT, 'src/domain/media/av/child.ts')
const SYSTEM = ['/bin', '/sbin', '/lib', '/lib64', '/usr/bin', '/usr/sbin', '/usr/lib', '/usr/lib64', '/usr/local/lib']

/**
 * Builds a file system of the work folder, copies of the links in the arguments before `+` and, read-only, the folders in
 * those before `--`; then drops every capability. It mounts only folders, which need no mount points in existing folders.
 * Without `bind`, `mount` repeats the options of the tmpfs, whose owner the namespace does not know unless it is root.
 */
const NAMESPACE_SCRIPT = `set -e
root=$1 work=$2 project=$3; shift 3
mount -t tmpfs -o mode=755,size=1m none "$root"
mkdir -p "$root$project" "$root${WORK}"
cp "$project/package.json" "$root$project/package.json"
while [ "$1" != + ]; do cp -P "$1" "$root$1"; shift; done; shift
while [ "$1" != -- ]; do
  mkdir -p "$root$1"
  mount --rbind "$1" "$root$1"
  mount -o remount,bind,ro "$root$1" || mount -o remount,bind,ro,nosuid,nodev "$root$1" || mount -o remount,bind,ro,nosuid,nodev,noatime "$root$1"
  shift
done; shift
mount --bind "$work" "$root${WORK}"
mount -o remount,bind,ro "$root"
exec chroot "$root" setpriv --bounding-set=-all --inh-caps=-all --no-new-privs /bin/sh -c 'cd ${WORK} && exec "$@"' sh "$@"`

/** The sandboxes that may work on this system, the strongest first. */
export function possibleSandboxes(): Sandbox[] {
  if (process.platform !== 'linux') return ['permissions']
  const tools = ['unshare', 'mount', 'chroot', 'setpriv']
  return [
    ...(tools.every((name) => findTool(name)) ? (['namespaces'] as const) : []),
    ...(process.geteuid?.() === 0 ? (['user'] as const) : []),
    'permissions',
  ]
}

/** The child's standard input is a pipe that closes when this process ends. */
export async function spawnConfined(task: MediaTask, confined: Confined): Promise<ChildProcess> {
  const { sandbox, work, source } = confined
  const isUser = sandbox === 'user'
  if (isUser) await chown(work, MEDIA_USER, MEDIA_USER)
  const [file = '', ...args] = commandFor(task, confined)
  return spawn(file, args, {
    cwd: work,
    stdio: ['pipe', 'pipe', 'pipe', source],
    // Without the server's variables, which contain the database URL and keys.
    env: {
      MALLOC_ARENA_MAX: '2',
      UV_THREADPOOL_SIZE: '2',
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      NODE_COMPILE_CACHE: join(sandbox === 'namespaces' ? WORK : work, CODE_CACHE),
    },
    ...(isUser ? { uid: MEDIA_USER, gid: MEDIA_USER } : {}),
  })
}

function commandFor(task: MediaTask, { sandbox, work, root, dataDir }: Confined): string[] {
  const library = realpathSync(createRequire(import.meta.url).resolve('node-av'))
  const modules = library.slice(0, library.lastIndexOf(`${sep}node_modules${sep}`) + `${sep}node_modules`.length)
  const code = [join(PROJECT, 'src'), modules]
  // Releases of a server may share its modules by a link.
  const linked = lstatSync(MODULES, { throwIfNoEntry: false })?.isSymbolicLink() ? [MODULES] : []
  const runtime = dirname(realpathSync(process.execPath))
  const folder = sandbox === 'namespaces' ? WORK : work
  const node = [
    realpathSync(process.execPath),
    '--permission',
    '--allow-addons',
    // Wildcards, as Node takes a folder that this user cannot read for a file.
    ...[...[...code, ...linked].map(within), ...linked, join(PROJECT, 'package.json'), within(folder)].map(
      (path) => `--allow-fs-read=${path}`,
    ),
    `--allow-fs-write=${within(folder)}`,
    `--max-old-space-size=${HEAP_MB}`,
    '--no-warnings',
    CHILD,
    JSON.stringify({ ...task, output: outputOf(task.target, sandbox, folder) }),
  ]
  if (process.platform === 'win32') return node
  // A shell skips the limits that it does not support.
  const processor = task.kind === 'convert' ? '' : `ulimit -t ${CPU_SECONDS};`
  const limits = `{ ulimit -c 0; ulimit -d ${MEMORY_KB}; ulimit -f ${MAX_RESULT / 512}; ${processor} } 2>/dev/null; exec "$@"`
  const limited = ['/bin/sh', '-c', limits, 'sh']
  if (sandbox !== 'namespaces') return [...limited, ...node]
  const system = SYSTEM.filter(existsSync)
  const links = system.filter(isLinkWithinSystem)
  const folders = withoutNested([...system.filter((path) => !links.includes(path)), runtime, ...code])
  if ([...links, ...folders].some((path) => isWithin(resolve(dataDir), path)))
    throw new Error('DATA_DIR is in a folder of the system')
  const namespaces = [
    '--user',
    '--map-root-user',
    '--mount',
    '--net',
    '--ipc',
    '--uts',
    '--pid',
    '--fork',
    '--kill-child',
  ]
  const copied = [...links, ...linked]
  const script = ['/bin/sh', '-c', NAMESPACE_SCRIPT, 'sh', root, work, PROJECT, ...copied, '+', ...folders, '--']
  return [...limited, findTool('unshare') ?? '', ...namespaces, '--', ...script, ...node]
}

/** The result as a URL: for a path, the library would try to create its parent folders, which another user cannot read. */
const outputOf = (target: string, sandbox: Sandbox, folder: string): string =>
  sandbox === 'permissions'
    ? join(folder, target)
    : `file://${sandbox === 'user' ? '/proc/self/cwd' : folder}/${target}`

/** `/bin` is often a link to `/usr/bin`: copying it costs less than mounting it. */
const isLinkWithinSystem = (path: string): boolean =>
  dirname(path) === '/' && realpathSync(path) !== path && SYSTEM.includes(realpathSync(path))

const within = (folder: string): string => join(folder, '*')

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(folder + sep)

const withoutNested = (folders: string[]): string[] =>
  folders.filter(
    (path, i) =>
      !folders.some((other, j) => (i !== j && isWithin(path, other) && path !== other) || (path === other && j < i)),
  )
