// Runs on any Node >= 18.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Installs the locked dependencies unless node_modules has them. Throws an Error with one line for the user.
 * Several processes may call it at once: one installs, the others wait.
 * @param {string} root the project's folder
 * @param {{ dev: boolean }} needs
 */
export async function ensureDependencies(root, needs) {
  if (isInstalled(root, needs)) return
  const release = await takeTurn(join(tmpdir(), `rookery-install-${hash(root).slice(0, 16)}.lock`))
  try {
    if (!isInstalled(root, needs)) await install(root)
  } finally {
    release()
  }
}

/** @param {string | Buffer} text */
const hash = (text) => createHash('sha256').update(text).digest('hex')

/** @typedef {Record<string, { version?: string, integrity?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }>} Packages */

/**
 * Compares the lock file with npm's record in node_modules. A stamp file avoids the comparison next time.
 * @param {string} root
 * @param {{ dev: boolean }} needs
 */
function isInstalled(root, { dev }) {
  const lock = readFileSync(join(root, 'package-lock.json'))
  const stamp = join(root, 'node_modules', dev ? '.rookery-lock' : '.rookery-lock-production')
  const current = hash(lock)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === current) return true
  const noted = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(noted)) return false
  const wanted = /** @type {Packages} */ (JSON.parse(lock.toString()).packages)
  const present = /** @type {Packages} */ (JSON.parse(readFileSync(noted, 'utf8')).packages)
  for (const [path, one] of Object.entries(wanted)) {
    const found = present[path]
    const dispensable = one.optional || (!dev && (one.dev || one.devOptional))
    if (path && (found ? found.version !== one.version : !dispensable)) return false
  }
  try {
    writeFileSync(stamp, current)
  } catch {
    // node_modules belongs to another user: the comparison runs again next time.
  }
  return true
}

/** @param {string} root */
async function install(root) {
  console.error('Installing the dependencies (npm ci) …')
  const args = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const npm = process.env.npm_execpath
  const [command, prefix] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  // Standard output belongs to the program: npm writes to standard error.
  const child = spawn(command, [...prefix, ...args], { cwd: root, stdio: ['ignore', 2, 2] })
  const code = await new Promise((done) => child.once('error', done).once('exit', done))
  if (code instanceof Error)
    throw new Error('npm is needed to install the dependencies, and it is not on PATH. Install npm and try again.')
  if (code !== 0)
    throw new Error('npm ci did not succeed (see above). Check the connection to the npm registry and try again.')
}

/** Milliseconds after which a lock file without a process id is stale: its process was killed, or the disk was full. */
const UNWRITTEN = 2000

/**
 * Waits for the lock, and says so: the process that created the file holds it. Without a lock where the file cannot be created or
 * removed.
 * @param {string} file
 * @returns {Promise<() => void>} releases the lock
 */
export async function takeTurn(file) {
  for (let waits = false; ;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') return () => {}
    }
    if (isStale(file)) {
      try {
        rmSync(file, { force: true })
      } catch {
        // Another user's, in a folder where only owners may remove files.
        return () => {}
      }
    } else {
      if (!waits) console.error(`Waiting for another start, which installs or builds (${file}) …`)
      waits = true
      await sleep(200)
    }
  }
}

/**
 * Whether the process that the lock file names has ended, or the lock is older than 15 minutes.
 * @param {string} file
 */
function isStale(file) {
  try {
    const age = Date.now() - statSync(file).mtimeMs
    const pid = Number(readFileSync(file, 'utf8'))
    if (age > (pid ? 15 * 60_000 : UNWRITTEN)) return true
    if (pid) process.kill(pid, 0)
    return false
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH'
  }
}
