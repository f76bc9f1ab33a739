// Prints one line per test file, the failures in full, and the counts as the last lines.
import { relative } from 'node:path'
import { inspect } from 'node:util'
import { filesOf, LAST_TEST, TAKEN } from './test-groups.js'
import { saveSeconds } from './test-seconds.js'

const COUNTS = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) (.*)$/
/** How long the whole suite may take on two cores, in seconds. */
const LIMIT = 300

/** @param {AsyncIterable<any>} source of test events */
export default async function* report(source) {
  /** The names of the tests under way in each file, from the outermost. @type {Map<string, string[]>} */
  const names = new Map()
  /** Tests that passed, failed and ran in each file. @type {Map<string, { failed: number, all: number }>} */
  const results = new Map()
  /** @type {Map<string, number>} */
  const seconds = new Map()
  /** @type {string[]} */
  const failures = []
  /** @type {Record<string, number>} */
  const counts = {}
  /** Messages of the runner about whole processes, such as an error that came after the test that caused it. */
  const remarks = /** @type {Map<string, string[]>} */ (new Map())
  for await (const { type, data } of source) {
    const file = relative(process.cwd(), data?.file ?? '')
    if (type === 'test:start') names.set(file, [...(names.get(file) ?? []).slice(0, data.nesting), data.name])
    else if (isWholeFile(data) && (type === 'test:pass' || type === 'test:fail')) {
      // The test that stands for a whole file does not count.
      counts.tests = (counts.tests ?? 0) - 1
      const outcome = data.skip === TAKEN ? 'skipped' : type === 'test:pass' ? 'pass' : 'fail'
      counts[outcome] = (counts[outcome] ?? 0) - 1
      if (data.name === LAST_TEST || data.skip === TAKEN) continue
      seconds.set(data.name, data.details.duration_ms / 1000)
      yield fileLine(data.name, type === 'test:pass', results.get(data.name), data.details.duration_ms)
      if (type === 'test:fail' && isCause(data)) {
        const reasons = [explain(data.details.error), ...(remarks.get(file) ?? [])]
        yield fail(`✖ ${data.name}\n${indent(reasons.join('\n'))}\n`)
      } else if (!results.has(data.name)) yield fail(`✖ ${data.name}: no test ran\n`)
    } else if (type === 'test:pass' || type === 'test:fail') {
      const result = results.get(file) ?? { failed: 0, all: 0 }
      if (data.details.type !== 'suite') result.all++
      if (type === 'test:fail') result.failed++
      results.set(file, result)
      if (type === 'test:fail' && isCause(data)) {
        const path = [...(names.get(file) ?? []).slice(0, data.nesting), data.name].filter(Boolean).join(' › ')
        yield fail(`✖ ${file}:${data.line}: ${path}\n${indent(explain(data.details.error))}\n`)
      }
    } else if (type === 'test:stdout' || type === 'test:stderr') yield data.message
    else if (type === 'test:summary' && data.file) {
      if (data.file.endsWith('.mjs')) continue
      if (!results.has(file)) yield fail(`✖ ${file}: no test ran\n`)
      yield fileLine(file, data.success, results.get(file), data.duration_ms)
    } else if (type === 'test:diagnostic' && data.nesting === 0) {
      const [, name = '', count = ''] = COUNTS.exec(data.message) ?? []
      if (data.file && !name) remarks.set(file, [...(remarks.get(file) ?? []), data.message])
      else if (!data.file && name) counts[name] = (counts[name] ?? 0) + Number(count)
      else if (!data.file) yield `ℹ ${data.message}\n`
    }
  }
  for (const file of unreported(seconds)) yield fail(`✖ ${file}: did not run to its end\n`)
  yield* repeat(failures, results.size)
  yield* totals(counts, seconds)

  /** @param {string} text */
  function fail(text) {
    failures.push(text)
    process.once('exit', () => (process.exitCode ||= 1))
    return text
  }
}

/** Prints failures again at the end, as one is easy to miss among hundreds of lines. @param {string[]} failures @param {number} files */
function* repeat(failures, files) {
  if (failures.length > 1 || (failures.length > 0 && files > 1)) yield `\nFailed:\n\n${failures.join('\n')}`
}

/** @param {Record<string, number>} counts @param {Map<string, number>} seconds by file */
function* totals({ duration_ms: duration = 0, ...numbers }, seconds) {
  saveSeconds(seconds)
  yield `\n${Object.entries(numbers)
    .map(([name, count]) => `ℹ ${name} ${count}\n`)
    .join('')}`
  yield* durations(duration / 1000, seconds)
}

/**
 * The files without a result: a process that ended too early reports nothing about the files that it did not reach.
 * @param {Map<string, number>} seconds by file that has one
 */
const unreported = (seconds) => {
  const entry = process.argv.find((argument) => argument.endsWith('.test.mjs'))
  return entry === undefined ? [] : filesOf(entry).filter((file) => !seconds.has(file))
}

/** Whether a test stands for a file in an entry that `groupTests` wrote. @param {any} data of the test */
const isWholeFile = (data) => data?.nesting === 0 && data.file?.endsWith('.mjs')

/** Whether a test failed by itself, and not only because one inside it did. @param {any} data of the failure */
const isCause = (data) => data.details?.error?.failureType !== 'subtestsFailed'

/**
 * @param {string} file
 * @param {boolean} success
 * @param {{ failed: number, all: number } | undefined} result
 * @param {number} ms
 */
function fileLine(file, success, { failed, all } = { failed: 0, all: 0 }, ms) {
  return `${success ? '✔' : '✖'} ${file} (${failed > 0 ? `${failed} failed of ` : ''}${all}, ${(ms / 1000).toFixed(1)} s)\n`
}

/**
 * Reports the duration, and warns when it is too long. Machines differ, so the run does not fail.
 * @param {number} total seconds
 * @param {Map<string, number>} seconds by file
 */
function* durations(total, seconds) {
  yield `ℹ seconds ${total.toFixed(1)}\n`
  if (!process.env.CI || total <= LIMIT) return
  yield `⚠ The tests took ${total.toFixed(0)} s, and should take at most ${LIMIT} s on two cores. The slowest files:\n`
  const slowest = [...seconds].toSorted(([, a], [, b]) => b - a).slice(0, 10)
  for (const [file, each] of slowest) yield `    ${each.toFixed(1).padStart(6)} s  ${file}\n`
}

/** @param {any} error as node:test wraps it */
function explain(error) {
  const cause = error?.cause ?? error
  if (typeof cause === 'string') return error.exitCode === undefined ? cause : `${cause} (${exit(error)})`
  // The stack of an assertion already contains its values.
  const text = cause?.generatedMessage ? cause.stack : inspect(cause)
  return text.replaceAll(/\n +at .*\(?node:(internal|async_hooks).*/g, '')
}

/** How a process ended. @param {{ exitCode: number | null, signal: string | null }} error */
const exit = ({ exitCode, signal }) => (signal === null ? `exit status ${exitCode}` : `ended by ${signal}`)

/** @param {string} text */
const indent = (text) => text.replaceAll(/^/gm, '    ')
