import { argon2 as argon2Callback, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createSemaphore, type Semaphore } from '../../lib/semaphore.ts'

const argon2 = promisify(argon2Callback)

/** Parameters of OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const TAG_BYTES = 32
/**
 * How many hashes are computed at once, each of which takes a thread and its memory, and how many wait: two seconds of
 * work. Signing in has a share of its own, which sign-ups and new passwords cannot use up.
 */
const signingIn = createSemaphore(2, 100)
const others = createSemaphore(1, 50)

const encode = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/**
 * Hashes a new password as a PHC string: $argon2id$v=19$m=…,t=…,p=…$salt$hash. Check first all that can be checked without
 * it. Throws Unavailable when too many wait for the same.
 */
export function hashPassword(password: string): Promise<string> {
  return hash(others, password)
}

async function hash(share: Semaphore, password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await share(() => argon2('argon2id', { message: password, nonce, tagLength: TAG_BYTES, ...COST }))
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${encode(nonce)}$${encode(tag)}`
}

/** Whether a password matches its PHC string. Without one (`null`: no such user) the same time goes by, and the answer is no. Throws Unavailable when too many wait. */
export async function verifyPassword(password: string, phc: string | null): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(phc ?? '')
  if (!match) {
    await hash(signingIn, password)
    return false
  }
  const [, memory, passes, parallelism, nonce, expected] = match as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const tag = Buffer.from(expected, 'base64')
  const options = {
    message: password,
    nonce: Buffer.from(nonce, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: tag.length,
  }
  return timingSafeEqual(await signingIn(() => argon2('argon2id', options)), tag)
}
