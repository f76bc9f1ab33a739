// One line per process, all that failed in full, and the counts as the last lines.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'

const COUNTS = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /

/** @param {AsyncIterable<any>} source of test events */
export default async function* report(source) {
  /** The names of the tests under way in each file, from the outermost. @type {Map<string, string[]>} */
  const names = new Map()
  /** @type {string[]} */
  const failures = []
  /** @type {string[]} */
  const counts = []
  /** The files of which a test has ended. */
  const seen = new Set()
  for await (const { type, data } of source) {
    const file = relative(process.cwd(), data?.file ?? '')
    if (type === 'test:pass' || type === 'test:fail') seen.add(file)
    if (type === 'test:start') names.set(file, [...(names.get(file) ?? []).slice(0, data.nesting), data.name])
    else if (type === 'test:fail' && isCause(data)) {
      const path = [...(names.get(file) ?? []).slice(0, data.nesting), data.name].join(' › ')
      const text = `✖ ${file}:${data.line}: ${path}\n${indent(explain(data.details.error))}\n`
      failures.push(text)
      yield text
    } else if (type === 'test:stdout' || type === 'test:stderr') yield data.message
    else if (type === 'test:summary' && data.file) {
      const members = membersOf(data.file)
      yield fileLine(members.join(', '), data)
      for (const member of members.filter((each) => !seen.has(each))) {
        failures.push(`✖ ${member}: no test ran\n`)
        yield failures.at(-1) ?? ''
        process.once('exit', () => (process.exitCode = 1))
      }
    } else if (type === 'test:diagnostic' && !data.file && data.nesting === 0) {
      if (COUNTS.test(data.message)) counts.push(`ℹ ${data.message}\n`)
      else yield `ℹ ${data.message}\n`
    }
  }
  if (failures.length > 1) yield `\nFailed:\n\n${failures.join('\n')}`
  yield `\n${counts.join('')}`
}

/** @param {any} data of a failure: whether it is one itself, and not only the suite around one */
const isCause = (data) => data.details?.error?.failureType !== 'subtestsFailed'

/** The test files that ran in one process: the one named, or those that a group imports. @param {string} file */
function membersOf(file) {
  const imports = file.endsWith('.mjs') ? [...readFileSync(file, 'utf8').matchAll(/^import "(.*)"/gm)] : []
  const files = imports.length > 0 ? imports.map(([, url = '']) => fileURLToPath(url)) : [file]
  return files.map((each) => relative(process.cwd(), each))
}

/**
 * @param {string} file
 * @param {any} data
 */
function fileLine(file, { success, counts, duration_ms: ms }) {
  const failed = success ? '' : `${counts.tests - counts.passed - counts.skipped} failed of `
  return `${success ? '✔' : '✖'} ${file} (${failed}${counts.tests}, ${(ms / 1000).toFixed(1)} s)\n`
}

/** @param {any} error as node:test wraps it */
function explain(error) {
  const cause = error?.cause ?? error
  if (typeof cause === 'string') return cause
  // An assertion's own text has its values already.
  const text = cause?.generatedMessage ? cause.stack : inspect(cause)
  return text.replaceAll(/\n +at .*\(?node:(internal|async_hooks).*/g, '')
}

/** @param {string} text */
const indent = (text) => text.replaceAll(/^/gm, '    ')
