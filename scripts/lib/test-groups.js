import { availableParallelism } from 'node:os'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readSeconds } from './test-seconds.js'

/** Those in test/start start programs, which take long. */
const STARTS_PROGRAMS = /\/(server-process|run-program)\.ts'/
/** Signs of a slow test beside programs that start: a browser, conversions of media. */
const SLOW = /\b(clientBrowser|sharedBrowser|launchBrowser|makeVideo|makeHeic)\b/
/** A guess for files that have never run here, from their source: long ones that began last would run alone at the end. */
const BYTES_PER_SECOND = { slow: 100, other: 600 }
/** Milliseconds for a file on a busy machine. Tests that hang fail before, after ten minutes. */
const TIMEOUT = 1_800_000

/** The file with the plan of the test run, in the folder of the entries. */
const LIST = 'files.json'

/** How many processes run at a time. Each spends half of its time waiting for PostgreSQL, browsers or timers. */
export const concurrency = () => availableParallelism() + 2

/**
 * Distributes test files over processes. As many as run at a time each take the next file of a list until it is empty, which
 * shares what is slow to load and start, and lets all end together. Writes an entry file for each process to `folder` and
 * returns them: the runner starts them by name.
 * @param {string[]} files relative to the working directory
 * @param {string} folder
 * @returns {string[]}
 */
export function groupTests(files, folder) {
  const seconds = readSeconds()
  const expected = (/** @type {string} */ file) => seconds[file] ?? guess(file)
  const longestFirst = files.toSorted((a, b) => expected(b) - expected(a))
  const starting = longestFirst.filter(
    (file) => file.startsWith('test/start/') && STARTS_PROGRAMS.test(readFileSync(file, 'utf8')),
  )
  const shared = longestFirst.filter((file) => !starting.includes(file))
  const workers = Array.from({ length: Math.min(shared.length, concurrency()) }, () => shared)
  // Those that start programs run one after the other, beside the others, in the place that the last worker takes then.
  const groups = [...workers.slice(1), starting, ...workers.slice(0, 1)].filter((group) => group.length > 0)
  writeFileSync(join(folder, LIST), JSON.stringify(files))
  return groups.map((group, index) => {
    const entry = join(folder, `group-${String(index + 1).padStart(2, '0')}.test.mjs`)
    writeFileSync(entry, entryFor(group, folder))
    return entry
  })
}

/** Seconds. @param {string} file */
function guess(file) {
  const source = readFileSync(file, 'utf8')
  return source.length / BYTES_PER_SECOND[SLOW.test(source) || STARTS_PROGRAMS.test(source) ? 'slow' : 'other']
}

export const LAST_TEST = 'wait until the results are written'

/** Why a process skips a file. */
export const TAKEN = 'another process has taken it'

/**
 * Runs each file that no other process has taken as a test that its own tests are part of, so that one file has ended before
 * the next one starts. The runner ends the process after the last test, even while results are still on their way to the
 * reporter: hence one more test.
 * @param {string[]} files
 * @param {string} folder
 */
const entryFor = (files, folder) => `
import { mkdirSync } from 'node:fs'
import ${JSON.stringify(new URL('test-context.js', import.meta.url).href)}
import ${JSON.stringify(new URL('test-keys.js', import.meta.url).href)}
const { test } = await import('node:test')
const take = (file) => {
  try {
    mkdirSync(${JSON.stringify(join(folder, 'taken-'))} + file.replaceAll('/', '-'))
    return true
  } catch {
    return false
  }
}
const at = ${JSON.stringify(pathToFileURL(`${process.cwd()}/`).href)}
for (const file of ${JSON.stringify(files)})
  test(file, { timeout: ${TIMEOUT} }, (t) => (take(file) ? import(at + file) : t.skip(${JSON.stringify(TAKEN)})))
test(${JSON.stringify(LAST_TEST)}, async () => {
  // Twice in a row: what waits behind a full pipe is written after it.
  for (let quiet = 0; quiet < 2; quiet = process.stdout.writableLength === 0 ? quiet + 1 : 0)
    await new Promise((resolve) => setTimeout(resolve, 125))
})
`

/** All files of the run that an entry belongs to. @param {string} entry */
export const filesOf = (entry) => /** @type {string[]} */ (JSON.parse(readFileSync(join(dirname(entry), LIST), 'utf8')))
