import { argon2 as argon2Callback, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createSemaphore, type Semaphore } from '../../lib/concurrency.ts'

const argon2 = promisify(argon2Callback)

/** Parameters of OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const TAG_BYTES = 32
/**
 * Each hash takes a thread and its memory; at most two seconds of work wait. Sign-ins have a semaphore of their own, so
 * that sign-ups and new passwords do not delay them.
 */
const signInSemaphore = createSemaphore(2, 100)
const hashSemaphore = createSemaphore(1, 50)

const encode = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/**
 * Hashes a new password as a PHC string: $argon2id$v=19$m=…,t=…,p=…$salt$hash. Costly: check everything else first.
 * Throws Unavailable when too many requests wait for a hash.
 */
export function hashPassword(password: string): Promise<string> {
  return hash(hashSemaphore, password)
}

async function hash(semaphore: Semaphore, password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await semaphore(() => argon2('argon2id', { message: password, nonce, tagLength: TAG_BYTES, ...COST }))
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${encode(nonce)}$${encode(tag)}`
}

/**
 * Whether a password matches its PHC string. Null (no such user) takes the same time and is false. Throws Unavailable
 * when too many requests wait for a hash.
 */
export async function verifyPassword(password: string, phc: string | null): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(phc ?? '')
  if (!match) {
    await hash(signInSemaphore, password)
    return false
  }
  const [, memory, passes, parallelism, nonce = '', expected = ''] = match
  const tag = Buffer.from(expected, 'base64')
  const options = {
    message: password,
    nonce: Buffer.from(nonce, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: tag.length,
  }
  return timingSafeEqual(await signInSemaphore(() => argon2('argon2id', options)), tag)
}
