import { argon2Sync, randomBytes } from 'node:crypto'
import { once } from '../../src/lib/concurrency.ts'

export const PASSWORD = 'correct horse battery'

/** Parameters that the algorithm permits, and no more: tests sign in hundreds of times, which costs what the stored hash says. */
const LOWEST_COST = { memory: 8, passes: 1, parallelism: 1 }

const encode = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/** The stored form of PASSWORD. */
export const passwordHash = once(() => {
  const nonce = randomBytes(16)
  const { memory, passes, parallelism } = LOWEST_COST
  const tag = argon2Sync('argon2id', { message: PASSWORD, nonce, tagLength: 32, ...LOWEST_COST })
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(nonce)}$${encode(tag)}`
})
