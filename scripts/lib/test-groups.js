import { availableParallelism } from 'node:os'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSeconds } from './test-seconds.js'

/** These start whole programs and kill them, or measure memory: each needs a process of its own. */
const ALONE = /^test\/(start\/|security\/limits)/
/** A guess for files that have never run here, from the size of their source. */
const BYTES_PER_SECOND = 4000

/**
 * Distributes test files over processes. As loading and starting a server costs as much as running five files, one process for
 * each that runs at a time takes file after file from a list, those that take longest first. Writes an entry file for each
 * process to `folder` and returns them in the order in which they should start: the last of the shared processes starts when
 * the files that need a process of their own have ended.
 * @param {string[]} files relative to the working directory
 * @param {string} folder
 * @returns {string[]}
 */
export function groupTests(files, folder) {
  const seconds = readSeconds()
  const weigh = (/** @type {string} */ file) => seconds[file] ?? statSync(file).size / BYTES_PER_SECOND
  const sorted = files.toSorted((a, b) => weigh(b) - weigh(a))
  const alone = sorted.filter((file) => ALONE.test(file))
  const shared = sorted.filter((file) => !ALONE.test(file))
  const groups = Array.from({ length: Math.min(concurrency(), shared.length) }, () => shared)
  groups.splice(Math.max(1, groups.length - 1), 0, ...alone.map((file) => [file]))
  return groups.map((group, index) => {
    const entry = join(folder, `group-${String(index + 1).padStart(2, '0')}.test.mjs`)
    writeFileSync(entry, entryFor(group))
    return entry
  })
}

/** How many processes run at a time. Each spends a third of its time waiting for PostgreSQL or for timers. */
export const concurrency = () => availableParallelism() + 1

/** It calls `test` itself, as the runner names the file that does so in its results. */
const entryFor = (/** @type {string[]} */ files) =>
  `import { test } from 'node:test'
import { runFiles } from ${JSON.stringify(new URL('test-process.js', import.meta.url).href)}
runFiles((name, options, run) => test(name, options, run), import.meta.dirname, ${JSON.stringify(files)})
`

/** The test files that an entry may run, or the file itself if it is no entry. @param {string} file @returns {string[]} */
export function membersOf(file) {
  if (!file.endsWith('.mjs')) return [file]
  return JSON.parse(/(?<=import\.meta\.dirname, ).*(?=\)$)/m.exec(readFileSync(file, 'utf8'))?.[0] ?? '[]')
}
