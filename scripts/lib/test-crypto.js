// Test processes load this first: it makes cheap what tests do hundreds of times and only some of them are about.
import crypto from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { callbackify, promisify } from 'node:util'
import { root } from './runtime.js'

/** More than one file of tests uses, so that its keys differ. */
const KEY_PAIRS = 64

const { argon2, generateKeyPair } = crypto
const generate = promisify(generateKeyPair)

/** Whether hashing a password takes as long as on a server: for tests that are about that time. */
let isCostly = false

/** Lets hashing a password take as long as on a server, from now on, or not again. @param {boolean} costly */
export function useCostlyPasswords(costly) {
  isCostly = costly
}

/** The result is the same at both costs, so that passwords stay valid. @type {typeof crypto.argon2} */
const cheapArgon2 = (algorithm, parameters, callback) => {
  const run = () => argon2(algorithm, { ...parameters, memory: 8 * parameters.parallelism, passes: 1 }, callback)
  if (isCostly) argon2(algorithm, parameters, run)
  else run()
}

let next = crypto.randomInt(KEY_PAIRS)

/**
 * An RSA key pair of those that earlier runs generated with the same options, or a new one for them.
 * @param {'rsa'} type
 * @param {any} options
 * @returns {Promise<{ publicKey: any, privateKey: any }>}
 */
async function pooledKeyPair(type, options) {
  const kind = crypto.hash('sha256', JSON.stringify([type, options]), 'hex').slice(0, 8)
  const folder = join(root, 'node_modules/.cache/test-keys', kind)
  const file = join(folder, `${next++ % KEY_PAIRS}.json`)
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    const pair = await generate(type, options)
    mkdirSync(folder, { recursive: true })
    const staging = `${file}.${crypto.randomUUID()}`
    writeFileSync(staging, JSON.stringify(pair))
    renameSync(staging, file)
    return pair
  }
}

/** @param {any} type @param {any} options */
const cheapGenerate = (type, options) =>
  type === 'rsa' && options?.privateKeyEncoding?.format === 'pem'
    ? pooledKeyPair(type, options)
    : generate(type, options)

const cheapGenerateKeyPair = Object.assign(callbackify(cheapGenerate), { [promisify.custom]: cheapGenerate })

Object.assign(crypto, { argon2: cheapArgon2, generateKeyPair: cheapGenerateKeyPair })
module.syncBuiltinESMExports()
