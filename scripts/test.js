// npm test [-- [--test-name-pattern=PATTERN] [FILE]…]: all tests, or those in the files and folders named (patterns work).
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureClient } from './lib/client-build.js'
import { prepare, root } from './lib/runtime.js'
import { makeTestFolder } from './lib/test-folder.js'
import { concurrency, groupTests } from './lib/test-groups.js'

await prepare({ dev: true })
process.chdir(root)
await ensureClient()

const options = process.argv.slice(2).filter((arg) => arg.startsWith('-'))
const patterns = process.argv.slice(2).filter((arg) => !arg.startsWith('-'))
if (patterns.length === 0) patterns.push('{src,client/src,test}/**/*.test.ts')
const matches = patterns.map((pattern) =>
  fs.globSync(fs.statSync(pattern, { throwIfNoEntry: false })?.isDirectory() ? join(pattern, '**/*.test.ts') : pattern),
)
const unmatched = patterns.filter((_, i) => matches[i]?.length === 0)
if (unmatched.length > 0) {
  console.error(`No test files match ${unmatched.join(' or ')}.`)
  process.exit(1)
}
const files = [...new Set(matches.flat())].toSorted()

// A name pattern would also have to match the tests that stand for whole files.
const isGrouped = !options.some((option) => option.startsWith('--test-'))

const folder = makeTestFolder()
process.env.TMPDIR = folder
// A machine in UTC would hide that something depends on its time zone. This one differs from it by a part of an hour, too.
process.env.TZ ??= 'Asia/Kathmandu'
const { startTestDatabase } = await import('./lib/test-database.js')
const database = await startTestDatabase()
const tests = spawn(
  process.execPath,
  [
    '--test',
    // Tests create many short-lived objects: a larger young generation halves the cost of garbage collection.
    '--max-semi-space-size=64',
    `--test-concurrency=${concurrency()}`,
    // For tests that hang: on a busy machine some take minutes.
    '--test-timeout=600000',
    // A failed test may leave a server open, which must not delay the other tests.
    '--test-force-exit',
    `--test-reporter=${fileURLToPath(new URL('lib/test-reporter.js', import.meta.url))}`,
    ...options,
    ...(isGrouped ? groupTests(files, folder) : files),
  ],
  {
    stdio: 'inherit',
    detached: true,
    env: {
      ...process.env,
      TEST_DATABASE_URL: database.url,
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
    },
  },
)

/** Signals the runner and all processes that the tests started in its group. @param {NodeJS.Signals} signal */
const tell = (signal) => {
  try {
    process.kill(-(tests.pid ?? 0), signal)
  } catch {
    // All have ended.
  }
}
let stopped = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    tell(stopped ? 'SIGKILL' : 'SIGTERM')
    stopped = true
  })

const code = await new Promise((resolve) => tests.once('error', () => resolve(1)).once('exit', resolve))
tell('SIGKILL')
await database.stop()
fs.rmSync(folder, { recursive: true, force: true })
process.exit(stopped ? 130 : (code ?? 1))
