// The web client as Vite has built it (scripts/lib/client-build.js).
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { perServer } from '../../context.ts'

const FOLDER = join(import.meta.dirname, '../../../client/dist')
const MANIFEST = '.vite/manifest.json'
const ENTRY = 'src/main.tsx'

type Chunk = { file: string; css?: string[]; imports?: string[] }
type Manifest = Record<string, Chunk>

export type ClientBuild = {
  script: string
  styles: readonly string[]
  /** The chunks that the first script imports, and the texts of the language. */
  preloads(language: string): readonly string[]
  /** Paths below the folder, without those that are only compressed forms. */
  files: ReadonlySet<string>
}

const builds = perServer(({ log }) => {
  const build = followBuild(FOLDER)
  if (!build()) log.warn({ folder: FOLDER }, 'client.missing')
  return build
})

/** Null when the client was not built. */
export const clientBuild = (ctx: Parameters<typeof builds>[0]): ClientBuild | null => builds(ctx)()

/**
 * Returns a function that returns the build in a folder. The build may be replaced while the server runs, and its files then have
 * other names. While the folder has no build, the previous one counts.
 */
export function followBuild(folder: string): () => ClientBuild | null {
  let build: ClientBuild | null = null
  let known = ''
  return () => {
    const manifest = statSync(join(folder, MANIFEST), { throwIfNoEntry: false })
    const found = manifest ? `${manifest.ino} ${manifest.mtimeMs}` : known
    if (found !== known) {
      build = readBuild(folder)
      known = found
    }
    return build
  }
}

/** `file` is one of those of the build. Null when it has no such form. */
export function readClientFile(file: string, encoding: 'br' | 'gz' | null = null): Buffer | null {
  try {
    return readFileSync(join(FOLDER, encoding === null ? file : `${file}.${encoding}`))
  } catch {
    return null
  }
}

function readBuild(folder: string): ClientBuild | null {
  const manifest = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Manifest
  const entry = manifest[ENTRY]
  if (!entry) return null
  const chunks = withImports(manifest, ENTRY)
  return {
    script: entry.file,
    styles: chunks.flatMap(({ css = [] }) => css),
    preloads(language) {
      const texts = withImports(manifest, `../src/messages/${language}/client/texts.ts`)
      return [...new Set([...chunks, ...texts].map(({ file }) => file))].filter((file) => file !== entry.file)
    },
    files: new Set(
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile() && !/\.(br|gz|map)$/.test(each.name))
        .map((each) => join(each.parentPath, each.name).slice(folder.length + 1))
        .filter((file) => !file.startsWith('.')),
    ),
  }
}

/** A chunk after all that it imports statically, as styles are ordered; none when there is no such chunk. */
function withImports(manifest: Manifest, name: string, seen = new Set<string>()): Chunk[] {
  const chunk = manifest[name]
  if (!chunk || seen.has(name)) return []
  seen.add(name)
  return [...(chunk.imports ?? []).flatMap((each) => withImports(manifest, each, seen)), chunk]
}
