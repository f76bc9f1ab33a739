import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { nodeVersion, root, run, systemPath } from './run-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'rookery-run-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const PATH = systemPath()
const installed = await nodeVersion(PATH)
const skip = installed === 0 || installed >= 26 ? 'the system has no older Node' : false
const RUN = ['node', join(root, 'scripts/run.js'), 'test/start/print-arguments.ts']

test(
  'under an older Node the npm-installed Node runs the script, with arguments, output and exit status passed on',
  { skip },
  async () => {
    const echo = run([...RUN, 'with spaces', '3'], { PATH }, folder)
    assert.equal(await echo.ended, 3)
    assert.deepEqual(JSON.parse(echo.output()), { text: 'with spaces', node: process.version, npm: null })
  },
)

test('an older Node passes each signal on once', { skip }, async () => {
  for (const target of ['process', 'group'] as const) {
    const echo = run([...RUN, '', 'wait'], { PATH })
    await eventually(() => echo.output().includes('waiting'))
    echo.kill('SIGTERM', target)
    assert.equal(await echo.ended, 7)
    assert.match(echo.output(), /signals: 1/)
  }
})

test('the program that an older Node started ends when that Node is killed', { skip }, async () => {
  const echo = run([...RUN, '', 'wait'], { PATH })
  await eventually(() => echo.output().includes('waiting'))
  echo.kill('SIGKILL')
  // The output closes only when the started program has exited, too.
  assert.equal(await echo.ended, 'SIGKILL')
  assert.match(echo.output(), /signals: 1/)
})

test('run.js without a script prints its usage and exits with status 2', async () => {
  const nothing = run([process.execPath, 'scripts/run.js'])
  assert.equal(await nothing.ended, 2)
  assert.match(nothing.output(), /^Usage: [^\n]+\n$/)
})

test('bin/rookery works from any directory, through symbolic links, without a node on PATH', async () => {
  symlinkSync(join(root, 'bin/rookery'), join(folder, 'first'))
  symlinkSync('first', join(folder, 'second'))
  const version = run([join(folder, 'second'), 'version'], { PATH: '/usr/bin:/bin' }, '/')
  assert.equal(await version.ended, 0, version.output())
  assert.match(version.output(), /Rookery \d+\.\d+\.\d+/)
})

test('a relative DATA_DIR is resolved against the project, not the current directory', async () => {
  const data = join(relative(root, folder), 'data')
  const status = run([join(root, 'bin/rookery'), 'db', 'status'], { DATA_DIR: data }, tmpdir())
  assert.equal(await status.ended, 0, status.output())
  assert.equal(existsSync(join(folder, 'data/postgres/PG_VERSION')), true)
})
