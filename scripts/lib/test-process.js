// Runs in each test process.
import { AsyncResource } from 'node:async_hooks'
import { hash } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cpuSeconds } from './cpu-seconds.js'
import './test-crypto.js'
import { CPU_DIAGNOSTIC, LAST_TEST } from './test-names.js'

/** @typedef {import('node:test').TestContext} TestContext */

/** A test that hangs fails after this long, in milliseconds. */
const TIMEOUT = 300_000

/**
 * Runs the files that no other process runs yet, in order. Each is a test that its own tests are part of, so that one file has
 * ended before the next one starts. The runner ends the process when no test is left, even while results are still on their way
 * to the reporter: hence each file adds the next one before it ends, and there is one more test at the end.
 * @param {(name: string, options: object, run: (t: TestContext) => Promise<void>) => unknown} test
 * @param {string} folder for the marks of the files that a process runs
 * @param {string[]} files relative to the working directory
 */
export function runFiles(test, folder, files) {
  const left = files.values()
  // Outside of the test that is running, of which the next file would become a part.
  const outside = new AsyncResource('test files')
  let last = { file: '', sum: 0 }
  /** Reports what the file before this one used. @param {TestContext} t @param {string} file */
  const report = (t, file) => {
    const sum = cpuSeconds()
    if (last.file) t.diagnostic(`${CPU_DIAGNOSTIC}${last.file} ${sum - last.sum}`)
    last = { file, sum }
  }
  const addNext = () => {
    const file = left.find((each) => claim(folder, each))
    if (file)
      outside.runInAsyncScope(test, null, file, { timeout: TIMEOUT }, async (/** @type {TestContext} */ t) => {
        report(t, file)
        t.after(addNext)
        await import(pathToFileURL(resolve(file)).href)
      })
    else
      outside.runInAsyncScope(test, null, LAST_TEST, {}, (/** @type {TestContext} */ t) => {
        report(t, '')
        return new Promise((done) => setTimeout(done, 250))
      })
  }
  addNext()
}

/** @param {string} folder @param {string} file */
function claim(folder, file) {
  try {
    closeSync(openSync(join(folder, `${hash('sha256', file, 'hex')}.claimed`), 'wx'))
    return true
  } catch {
    return false
  }
}
