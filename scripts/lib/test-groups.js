import { availableParallelism } from 'node:os'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readSeconds } from './test-seconds.js'

/** These start whole programs and kill them, or measure memory: each needs a process of its own. */
const ALONE = /^test\/(start\/|security\/limits)/
/** A guess for files that have never run here, from the size of their source. */
const BYTES_PER_SECOND = 4000
/** A test that hangs fails after this long, in milliseconds. */
const TIMEOUT = 300_000

/**
 * Distributes test files over processes so that several files share what is slow to load and start. Writes an entry file for
 * each process to `folder` and returns them, those that take longest first: the runner starts them by name.
 * @param {string[]} files relative to the working directory
 * @param {string} folder
 * @returns {string[]}
 */
export function groupTests(files, folder) {
  const seconds = readSeconds()
  const timed = files.map((file) => ({ file, seconds: seconds[file] ?? statSync(file).size / BYTES_PER_SECOND }))
  const groups = [
    ...timed.filter(({ file }) => ALONE.test(file)).map((each) => ({ seconds: each.seconds, files: [each.file] })),
    ...divide(timed.filter(({ file }) => !ALONE.test(file))),
  ].toSorted((a, b) => b.seconds - a.seconds)
  return groups.map((group, index) => {
    const entry = join(folder, `group-${String(index + 1).padStart(2, '0')}.test.mjs`)
    writeFileSync(entry, entryFor(group.files))
    return entry
  })
}

/**
 * Fills three groups for each process that runs at a time, longest files first, each into the group that is shortest so far.
 * @param {{ file: string, seconds: number }[]} timed
 */
function divide(timed) {
  const count = Math.min(timed.length, 3 * concurrency())
  const groups = Array.from({ length: count }, () => ({ seconds: 0, files: /** @type {string[]} */ ([]) }))
  for (const { file, seconds } of timed.toSorted((a, b) => b.seconds - a.seconds)) {
    const shortest = groups.reduce((least, group) => (group.seconds < least.seconds ? group : least))
    shortest.seconds += seconds
    shortest.files.push(file)
  }
  return groups
}

/** How many processes run at a time. Each spends a third of its time waiting for PostgreSQL or for timers. */
export const concurrency = () => availableParallelism() + 1

export const LAST_TEST = 'wait until the results are written'

/**
 * Runs each file as a test that its own tests are part of, so that one file has ended before the next one starts. The runner
 * ends the process after the last test, even while results are still on their way to the reporter: hence one more test.
 */
const entryFor = (/** @type {string[]} */ files) =>
  [
    `import { test } from 'node:test'`,
    ...files.map((file) => {
      const url = JSON.stringify(pathToFileURL(resolve(file)).href)
      return `test(${JSON.stringify(file)}, { timeout: ${TIMEOUT} }, () => import(${url}))`
    }),
    `test(${JSON.stringify(LAST_TEST)}, () => new Promise((resolve) => setTimeout(resolve, 250)))`,
    '',
  ].join('\n')

/** The test files that an entry runs, or the file itself if it is no entry. @param {string} file */
export function membersOf(file) {
  if (!file.endsWith('.mjs')) return [file]
  return [...readFileSync(file, 'utf8').matchAll(/^test\("(.*?)", \{/gm)].map(([, member = '']) => member)
}
