// Runs on any Node >= 18, and finds the Node that the project needs.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ensureDependencies } from './dependencies.js'

const NEEDED = 26
/** The exit status of a program that misses a shared library. */
const NOT_LOADED = 127
/** The variable with the id of the process that this one must not outlive. */
export const PARENT = 'ROOKERY_PARENT_PID'
/** Milliseconds within which a terminal's Ctrl-C and npm's copy of it count as one signal. */
const SAME_SIGNAL = 300
/**
 * Signatures, passwords, images, files and DNS lookups share libuv's threads. With the default of four, a few slow lookups would
 * delay all the rest. libuv reads the number once, before the first use.
 */
const THREADS = '16'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Returns on Node 26 or newer with the dependencies installed. On an older Node, the calling script runs again on the Node that
 * npm installed, and this process ends with its exit status.
 * @param {{ dev: boolean }} needs whether the development dependencies are needed, too
 * @returns {Promise<void>}
 */
export async function prepare(needs) {
  try {
    await ensureDependencies(root, needs)
    if (Number.parseInt(process.versions.node, 10) < NEEDED) {
      const node = findNode()
      ensureLibraries(node)
      await runAgain(node)
    }
  } catch (error) {
    console.error(/** @type {Error} */ (error).message)
    process.exit(1)
  }
  process.env.UV_THREADPOOL_SIZE ??= THREADS
  followParent()
  shareCompiledCode()
}

/**
 * Runs a program of this project in this process with these arguments.
 * @param {string} file relative to the project's folder
 * @param {string[]} args
 */
export async function runProgram(file, args) {
  const program = resolve(root, file)
  if (!existsSync(program)) {
    console.error(`There is no ${file} in ${root}.`)
    process.exit(1)
  }
  process.argv.splice(1, process.argv.length, program, ...args)
  await import(pathToFileURL(program).href)
}

/** @returns {string} the Node >= 26 that npm installed */
function findNode() {
  const platform = `${process.platform}-${process.arch}`
  const node = join(root, 'node_modules', `node-${platform}`, 'bin/node')
  if (existsSync(node)) return node
  throw new Error(
    `Rookery needs Node ${NEEDED} or newer; this is ${process.version}, and npm has none to bring for ${platform}. ` +
      'Install it from https://nodejs.org and try again.',
  )
}

/**
 * Node 26 needs a library of the system that small installations lack: root gets it where apt-get has it. Throws an Error with
 * what to do otherwise.
 * @param {string} node
 */
function ensureLibraries(node) {
  const { status, stderr } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  if (status !== NOT_LOADED) return
  if (!stderr.includes('libatomic.so')) throw new Error(stderr.trim())
  if (process.getuid?.() === 0) {
    console.error('Installing libatomic1, which Node needs (apt-get) …')
    // Standard output belongs to the program.
    const apt = (/** @type {string[]} */ ...args) =>
      spawnSync('apt-get', args, { stdio: ['ignore', 2, 2] }).status === 0
    if (apt('install', '-qy', 'libatomic1') || (apt('update', '-q') && apt('install', '-qy', 'libatomic1'))) return
  }
  throw new Error(
    `Node ${NEEDED} needs the library libatomic, which this system does not have. Install it (Debian and Ubuntu: ` +
      '`apt-get install libatomic1`; Fedora: `dnf install libatomic`) and try again.',
  )
}

/**
 * @param {string} node
 * @returns {Promise<never>}
 */
function runAgain(node) {
  // In a process group of its own: a signal of the terminal reaches it once, through this process.
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    detached: true,
    env: { ...process.env, [PARENT]: String(process.pid) },
  })
  /** @type {Map<string, number>} */
  const sent = new Map()
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => {
    if (Date.now() - (sent.get(signal) ?? 0) > SAME_SIGNAL) child.kill(signal)
    sent.set(signal, Date.now())
  }
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, forward)
  return new Promise((_resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      for (const name of signals) process.off(name, forward)
      if (signal) process.kill(process.pid, signal)
      else process.exit(code ?? 1)
    })
  })
}

/**
 * Ends this process when npm or the parent on an older Node was killed. Otherwise it would continue in the background and hold
 * the port and the data directory.
 */
function followParent() {
  const given = process.env[PARENT]
  delete process.env[PARENT]
  if (!given && !process.env.npm_lifecycle_event) return
  const parent = given ? Number(given) : process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 200)
  timer.unref()
}

/** Caches compiled code in node_modules, for a faster start. */
function shareCompiledCode() {
  module.enableCompileCache?.(join(root, 'node_modules/.cache/compiled'))
}

/**
 * The file that a command of a package runs.
 * @param {string} name of the package
 * @param {string} [command] of the package, if named otherwise
 */
export function packageCommand(name, command = name) {
  const manifest = join(root, 'node_modules', name, 'package.json')
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'))
  return module.createRequire(manifest).resolve(`./${typeof bin === 'string' ? bin : bin[command]}`)
}
