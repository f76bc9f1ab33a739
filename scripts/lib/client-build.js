// When the web client is built: its sources are compared with what was built by a hash of their content.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
// Older versions of Node, which only load this module, lack some of it.
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takeTurn } from './dependencies.js'
import { root } from './runtime.js'

const SOURCES = [
  'client/*.ts',
  'client/src/**/*',
  'src/messages/*.ts',
  'src/messages/*/client/*.ts',
  'src/lib/text/*.ts',
  'src/html/styles/tokens.css',
  'scripts/build-client.js',
  'package-lock.json',
]

export const DIST = join(root, 'client/dist')
/** In `client/dist`: the hash of what it was built from. */
export const STAMP = '.vite/sources'

/** @returns {string} the hash of everything that the client is built from */
export function hashSources() {
  const hash = createHash('sha256')
  for (const file of fs.globSync(SOURCES, { cwd: root, withFileTypes: true }).filter((each) => each.isFile()))
    hash
      .update(`${file.parentPath}/${file.name}\0`.slice(root.length))
      .update(fs.readFileSync(join(file.parentPath, file.name)))
  return hash.digest('hex')
}

const readStamp = () => {
  try {
    return fs.readFileSync(join(DIST, STAMP), 'utf8')
  } catch {
    return null
  }
}

/**
 * Builds the client unless it is up to date. Several processes may call it at once: one builds, the others wait. Returns false
 * when the build fails, after it has said why.
 * @returns {Promise<boolean>}
 */
export async function ensureClient() {
  if (readStamp() === hashSources()) return true
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
  const release = await takeTurn(join(tmpdir(), `rookery-client-${name}.lock`))
  try {
    return readStamp() === hashSources() || (await build())
  } finally {
    release()
  }
}

/** In a process of its own: the memory that the build needs is free afterwards. @returns {Promise<boolean>} */
async function build() {
  console.error('Building the web client …')
  const startedAt = Date.now()
  // Standard output belongs to the program.
  const child = spawn(process.execPath, [join(root, 'scripts/build-client.js')], { cwd: root, stdio: ['ignore', 2, 2] })
  const code = await new Promise((done) => child.once('error', () => done(1)).once('exit', done))
  if (code === 0) console.error(`Built the web client in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`)
  else
    console.error(
      'The web client could not be built (see above), so the server runs without it or with the one built before. ' +
        'Check that client/ and node_modules/ are unchanged and that client/ can be written to, then start again.',
    )
  return code === 0
}
