import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { after, test } from 'node:test'
import { takeTurn } from '../../scripts/lib/dependencies.js'
import { eventually } from '../support/eventually.ts'
import { copyCluster } from './postgres-cluster.ts'
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
  for (const [signal, target] of [
    ['SIGTERM', 'process'],
    // As Ctrl-C in a terminal.
    ['SIGINT', 'group'],
  ] as const) {
    const echo = run([...RUN, '', 'wait'], { PATH })
    await eventually(() => echo.output().includes('waiting'))
    echo.kill(signal, target)
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

test('root gets a missing library of the system; others read what to install', { skip }, async () => {
  const project = join(folder, 'project')
  const bin = join(project, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin')
  const tools = join(project, 'tools')
  for (const path of [bin, tools]) mkdirSync(path, { recursive: true })
  cpSync(join(root, 'scripts'), join(project, 'scripts'), { recursive: true })
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  for (const lock of ['package-lock.json', 'node_modules/.package-lock.json'])
    writeFileSync(join(project, lock), '{"packages":{}}')
  writeFileSync(join(project, 'hello.ts'), 'console.log("hello")')
  const library = join(project, 'library')
  const write = (path: string, lines: string): void => writeFileSync(path, `#!/bin/sh\n${lines}\n`, { mode: 0o755 })
  const missing = 'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file'
  write(join(bin, 'node'), `[ -e ${library} ] || { echo "${missing}" >&2; exit 127; }\nexec ${process.execPath} "$@"`)
  const start = async (aptGet: string): Promise<[unknown, string]> => {
    write(join(tools, 'apt-get'), aptGet)
    const script = run(['node', 'scripts/run.js', 'hello.ts'], { PATH: `${tools}:${PATH}` }, project)
    return [await script.ended, script.output()]
  }
  const isRoot = process.getuid?.() === 0
  const [status, output] = await start('exit 100')
  assert.equal(status, 1)
  assert.match(output, /apt-get install libatomic1.* and try again\.\n$/)
  assert.equal(output.includes('Installing libatomic1'), isRoot, output)

  // The list of packages is empty, as in a new container.
  const [second, after] = await start(
    `[ "$1" = update ] && touch ${library}.list\n[ -e ${library}.list ] && touch ${library}`,
  )
  assert.deepEqual([second, after.endsWith('hello\n')], isRoot ? [0, true] : [1, false], after)
  assert.equal(existsSync(library), isRoot)
})

test('run.js without a script prints its usage and exits with status 2', async () => {
  const nothing = run([process.execPath, 'scripts/run.js'])
  assert.equal(await nothing.ended, 2)
  assert.match(nothing.output(), /^Usage: [^\n]+\n$/)
})

test(
  'a start says that it waits for another one, and not long for a lock that names none',
  { timeout: 30_000 },
  async (t) => {
    const said = t.mock.method(console, 'error', () => {})
    const lock = join(folder, 'turn.lock')
    writeFileSync(lock, '')
    utimesSync(lock, new Date(), new Date(Date.now() - 10_000))
    const release = await takeTurn(lock)
    assert.equal(said.mock.callCount(), 0)
    const next = takeTurn(lock)
    assert.match(String(said.mock.calls[0]?.arguments[0]), /^Waiting for another start/)
    release()
    const releaseNext = await next
    assert.equal(readFileSync(lock, 'utf8'), String(process.pid))
    releaseNext()
    assert.deepEqual([said.mock.callCount(), existsSync(lock)], [1, false])
  },
)

test('bin/rookery works from any directory, through symbolic links, without a node on PATH', async () => {
  symlinkSync(join(root, 'bin/rookery'), join(folder, 'first'))
  symlinkSync('first', join(folder, 'second'))
  const version = run([join(folder, 'second'), 'version'], { PATH: '/usr/bin:/bin' }, '/')
  assert.equal(await version.ended, 0, version.output())
  assert.match(version.output(), /Rookery \d+\.\d+\.\d+/)
})

test('a command whose output is lost says so and exits with status 1', async () => {
  const full = run(['/bin/sh', '-c', 'exec bin/rookery version >/dev/full'])
  assert.equal(await full.ended, 1)
  assert.match(full.output(), /^rookery: ENOSPC: [^\n]+\n$/)
})

test('a relative data directory is relative to the project, not the current directory', async () => {
  const data = join(relative(root, folder), 'data')
  await copyCluster(join(folder, 'data'))
  // Deeper than the project: otherwise both would lead from the root of the file system to the same folder.
  const current = join(folder, ...root.split(sep), 'deeper')
  mkdirSync(current, { recursive: true })
  const list = run([join(root, 'bin/rookery'), 'accounts', 'list'], { DATA_DIR: data }, current)
  assert.equal(await list.ended, 0, list.output())
  assert.equal(list.output(), 'There are no accounts yet.\n')
  assert.equal(existsSync(join(current, data)), false)
})
