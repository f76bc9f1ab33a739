import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodeVersion, root, run, systemPath } from './run-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'rookery-run-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const PATH = systemPath()
const installed = await nodeVersion(PATH)
const skip = installed === 0 || installed >= 26 ? 'the system has no older Node' : false
const RUN = ['node', join(root, 'scripts/run.js'), 'test/start/print-arguments.ts']

test(
  'an older Node hands over to the one that npm installed: arguments, output and exit status',
  { skip },
  async () => {
    const echo = run([...RUN, 'with spaces', '3'], { PATH }, folder)
    assert.equal(await echo.ended, 3)
    assert.deepEqual(JSON.parse(echo.output()), { text: 'with spaces', node: process.version, npm: null })
  },
)

test('an older Node hands signals on, once each', { skip }, async () => {
  for (const whom of ['process', 'group'] as const) {
    const echo = run([...RUN, '', 'wait'], { PATH })
    while (!echo.output().includes('waiting')) await sleep(10)
    echo.kill('SIGTERM', whom)
    assert.equal(await echo.ended, 7)
    assert.match(echo.output(), /told 1/)
  }
})

test('what an older Node started does not outlive it', { skip }, async () => {
  const echo = run([...RUN, '', 'wait'], { PATH })
  while (!echo.output().includes('waiting')) await sleep(10)
  echo.kill('SIGKILL')
  // Its output closes when the process that it started is gone, too.
  assert.equal(await echo.ended, 'SIGKILL')
  assert.match(echo.output(), /told 1/)
})

test('without a script there is a line about the usage, and status 2', async () => {
  const nothing = run([process.execPath, 'scripts/run.js'])
  assert.equal(await nothing.ended, 2)
  assert.match(nothing.output(), /^Usage: [^\n]+\n$/)
})

test('bin/rookery works from anywhere, through links, without a node on PATH', async () => {
  symlinkSync(join(root, 'bin/rookery'), join(folder, 'first'))
  symlinkSync('first', join(folder, 'second'))
  const version = run([join(folder, 'second'), 'version'], { PATH: '/usr/bin:/bin' }, '/')
  assert.equal(await version.ended, 0, version.output())
  assert.match(version.output(), /Rookery \d+\.\d+\.\d+/)
})

test('the data directory is the same from wherever a command is run', async () => {
  const data = join(relative(root, folder), 'data')
  const status = run([join(root, 'bin/rookery'), 'db', 'status'], { DATA_DIR: data }, tmpdir())
  assert.equal(await status.ended, 0, status.output())
  assert.equal(existsSync(join(folder, 'data/postgres/PG_VERSION')), true)
})
