// A proof of work that browsers do at sign-up: cheap for a person, expensive for thousands of accounts. No third party takes
// part.
import type { verifySolution } from 'altcha-lib'
import { createHash, hkdfSync } from 'node:crypto'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { getSecrets } from '../server/secrets.ts'

/** Iterations of PBKDF2 per attempt, and the most attempts: about a second in a browser. A challenge costs a millisecond here. */
const COST = 2000
const MAX_ATTEMPTS = 1500
const LIFETIME_SECONDS = 3600
/** Characters of a solution, which contains its challenge. */
const MAX_SOLUTION = 4000

type Payload = Pick<Parameters<typeof verifySolution>[0], 'challenge' | 'solution'>

/** A challenge as JSON, for `html/scripts/captcha.js`. */
export async function createCaptcha(ctx: Context): Promise<string> {
  const { createChallenge, randomInt, deriveKey } = await library()
  const challenge = await createChallenge({
    ...(await secrets(ctx)),
    algorithm: 'PBKDF2/SHA-256',
    cost: COST,
    counter: randomInt(MAX_ATTEMPTS),
    expiresAt: new Date(Date.now() + LIFETIME_SECONDS * 1000),
    deriveKey,
  })
  return JSON.stringify(challenge)
}

/** Whether the text is the solution of a challenge of this server. Each is accepted once, even when it comes twice at once. */
export async function takeCaptcha(ctx: Context, text: string): Promise<boolean> {
  if (text.length > MAX_SOLUTION) return false
  const [{ verifySolution, deriveKey }, keys] = await Promise.all([library(), secrets(ctx)])
  let payload: Payload
  try {
    payload = JSON.parse(text) as Payload
    const { verified } = await verifySolution({ ...payload, ...keys, deriveKey })
    if (!verified) return false
  } catch {
    // No JSON, or a challenge whose members have other types, for which the library throws.
    return false
  }
  const digest = createHash('sha256').update(`captcha ${payload.challenge.signature}`).digest()
  const spent = await ctx.db.run(sql`
    insert into spent_challenges (digest, expires_at)
    values (${digest}, now() + make_interval(secs => ${LIFETIME_SECONDS}::int)) on conflict do nothing`)
  return spent > 0
}

/** Loaded on first use. */
async function library() {
  const [altcha, { deriveKey }] = await Promise.all([import('altcha-lib'), import('altcha-lib/algorithms/pbkdf2')])
  return { ...altcha, deriveKey }
}

async function secrets(ctx: Context): Promise<{ hmacSignatureSecret: string; hmacKeySignatureSecret: string }> {
  const { cookieKey } = await getSecrets(ctx)
  const derive = (purpose: string): string =>
    Buffer.from(hkdfSync('sha256', cookieKey, '', purpose, 32)).toString('hex')
  return { hmacSignatureSecret: derive('captcha'), hmacKeySignatureSecret: derive('captcha key') }
}
