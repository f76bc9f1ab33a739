// The imports of the web client from the server, and the size of its first visit.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { findCircles, readImports } from './imports.js'

/** Files of src/ that need neither Node nor the server: texts for people, and the counting of characters. */
const SHARED = /^(client|src\/messages|src\/lib\/text)\//

/** The client's rooms from the bottom up. Its areas are above `ui`; what stands in `client/src` itself is above `app`. */
const ROOMS = ['texts.ts', 'api', 'state', 'ui', 'area', 'app', 'start']

/** @param {string} file */
function roomOf(file) {
  const [room = '', ...below] = file.replace('client/src/', '').split('/')
  if (ROOMS.includes(room)) return room
  return below.length > 0 ? 'area' : 'start'
}

/**
 * The client imports only types from `src/`, apart from what both share, and its rooms import downward, without circles; nothing
 * in `src/` imports the client.
 * @param {Map<string, string>} sources code without comments, by path below the project's folder
 * @returns {string[]}
 */
export function checkClientImports(sources) {
  const imports = [...sources].flatMap(([file, code]) =>
    readImports(code)
      .filter(({ target }) => target.startsWith('.'))
      .map(({ target, typeOnly }) => ({ file, to: join(dirname(file), target), typeOnly })),
  )
  /** @type {Map<string, string[]>} */
  const graph = new Map(imports.map(({ file }) => [file, []]))
  for (const { file, to } of imports) if (graph.has(to)) graph.get(file)?.push(to)
  return [
    ...imports.flatMap((each) => refuse(each) ?? []),
    ...findCircles(graph)
      .filter((circle) => circle[0]?.startsWith('client/'))
      .map((circle) => `${circle[0]}: imports itself in a circle: ${circle.join(', ')}`),
  ]
}

/** @param {{ file: string, to: string, typeOnly: boolean }} imported @returns {string | null} */
function refuse({ file, to, typeOnly }) {
  if (file.startsWith('src/')) return to.startsWith('client/') ? `${file}: src does not import the client` : null
  if (!SHARED.test(to) && !(to.startsWith('src/') && typeOnly))
    return `${file}: imports ${to}: the client imports types, messages and lib/text only`
  if (!to.startsWith('client/')) return null
  const [from, above] = [roomOf(file), roomOf(to)]
  return ROOMS.indexOf(above) > ROOMS.indexOf(from) ? `${file}: imports ${to}: ${above} is above ${from}` : null
}

const LATER = 'src/messages/en/client/later.ts'

/**
 * Code that comes with the first screen uses no texts that are loaded after it: the types cannot tell, as all texts are one
 * object.
 * @param {Map<string, string>} sources code without comments, by path below the project's folder
 * @returns {string[]}
 */
export function checkLaterTexts(sources) {
  const areas = [...(sources.get(LATER) ?? '').matchAll(/^ {2}(\w+): \w+,$/gm)].map(([, area]) => area)
  const uses = new RegExp(`\\btexts\\.(?:${areas.join('|')})\\b`, 'g')
  const first = new Set(['client/src/main.tsx'])
  // It grows while it is read. Dynamic imports count as types.
  for (const file of first)
    for (const { target, typeOnly } of readImports(sources.get(file) ?? ''))
      if (target.startsWith('.') && !typeOnly) first.add(join(dirname(file), target))
  return [...first].flatMap((file) =>
    [...(sources.get(file) ?? '').matchAll(uses)].map(
      ([use]) => `${file}: uses ${use}, which is loaded after the first screen, as this file is not`,
    ),
  )
}

/** @typedef {{ file: string, css?: string[], imports?: string[] }} Chunk */

/** In kilobytes, gzipped. */
const MOST = { js: 90, css: 15 }
const ENTRY = 'src/main.tsx'
const HOME = 'src/timelines/home.tsx'

/**
 * The files that a browser loads before it shows the home timeline for the first time, in the language with the longest texts.
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
