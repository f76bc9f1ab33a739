// What the web client may import from the server, and the size of its first visit.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { readImports } from './imports.js'

/** What needs neither Node nor the server: texts for people, and how characters are counted. */
const SHARED = /^(client|src\/messages|src\/lib\/text)\//

/**
 * The client imports only types from `src/`, apart from what both share; nothing in `src/` imports the client.
 * @param {Map<string, string>} sources code without comments, by path below the project's folder
 * @returns {string[]}
 */
export function checkClientImports(sources) {
  return [...sources].flatMap(([file, code]) =>
    readImports(code)
      .filter(({ target }) => target.startsWith('.'))
      .flatMap(({ target, typeOnly }) => {
        const to = join(dirname(file), target)
        if (file.startsWith('src/')) return to.startsWith('client/') ? [`${file}: src does not import the client`] : []
        const isAllowed = SHARED.test(to) || (to.startsWith('src/') && typeOnly)
        return isAllowed ? [] : [`${file}: imports ${target}: the client imports types, messages and lib/text only`]
      }),
  )
}

/** @typedef {{ file: string, css?: string[], imports?: string[] }} Chunk */

/** In kilobytes, gzipped. */
const MOST = { js: 90, css: 15 }
const ENTRY = 'src/main.tsx'
const HOME = 'src/timelines/home.tsx'

/**
 * What a browser loads before it shows the home timeline for the first time, in the language with the longest texts.
 * @param {string} dist the folder of the build
 * @returns {{ ok: boolean, text: string }}
 */
export function measureFirstVisit(dist) {
  /** @type {Record<string, Chunk>} */
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))
  /** @param {string[]} names @param {Set<string>} [files] */
  const filesOf = (names, files = new Set()) => {
    for (const name of names) {
      const chunk = manifest[name]
      if (!chunk || files.has(chunk.file)) continue
      files.add(chunk.file)
      for (const file of chunk.css ?? []) files.add(file)
      filesOf(chunk.imports ?? [], files)
    }
    return files
  }
  /** @param {Set<string>} files @param {string} kind */
  const sizeOf = (files, kind) =>
    [...files]
      .filter((file) => file.endsWith(`.${kind}`))
      .reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file)), { level: 9 }).length, 0) / 1000
  const languages = Object.keys(manifest).filter((name) => name.endsWith('/client/texts.ts'))
  const visits = (languages.length > 0 ? languages : ['']).map((language) => filesOf([ENTRY, HOME, language]))
  const js = Math.max(...visits.map((files) => sizeOf(files, 'js')))
  const css = Math.max(...visits.map((files) => sizeOf(files, 'css')))
  return {
    ok: js <= MOST.js && css <= MOST.css,
    text: `${js.toFixed(1)} KB of JavaScript (at most ${MOST.js}) and ${css.toFixed(1)} KB of CSS (at most ${MOST.css}) before the first timeline, gzipped`,
  }
}
