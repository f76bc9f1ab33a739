// Generating an RSA key takes a tenth of a second or more, and the servers of a test run would need hundreds. They get keys of a
// stock that all processes and later runs share, in turns. Imported before the code that generates keys.
import crypto from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './runtime.js'

/** @typedef {{ publicKey: string, privateKey: string }} Pair PEM */

/** More than the accounts of any test that compares their keys. */
const STOCK = 40

const FOLDER = join(root, 'node_modules/.cache/test-keys')

const { generateKeyPair } = crypto
const generate = promisify(generateKeyPair)
let next = 0

/** @param {number} number @param {any} options @returns {Promise<Pair>} */
async function fromStock(number, options) {
  const file = join(FOLDER, `rsa-${number}.json`)
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    const pair = /** @type {any} */ (await generate('rsa', options))
    // Two processes may make it at once: one of both stays in the stock.
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(pair))
    renameSync(`${file}.${process.pid}`, file)
    return pair
  }
}

const isStocked = (/** @type {string} */ type, /** @type {any} */ options) =>
  type === 'rsa' && options?.modulusLength === 2048 && options.privateKeyEncoding?.format === 'pem'

crypto.generateKeyPair = /** @type {any} */ (
  Object.assign((/** @type {any[]} */ ...given) => /** @type {any} */ (generateKeyPair)(...given), {
    [promisify.custom]: (/** @type {any} */ type, /** @type {any} */ options) =>
      isStocked(type, options) ? fromStock(next++ % STOCK, options) : generate(type, options),
  })
)
syncBuiltinESMExports()
