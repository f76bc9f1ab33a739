import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { getSecrets } from '../server/secrets.ts'
import { digestOf } from './viewer.ts'

/** Registration and second step are bound to a user's id; `sign-in` accepts any user. */
export type ChallengePurpose = `registration ${string}` | `second step ${string}` | 'sign-in'

const CHALLENGE_LIFETIME_MS = 10 * 60_000

/** A challenge in base64url: random bytes and an expiry, signed together with the purpose. It is not stored. */
export async function makeChallenge(ctx: Context, purpose: ChallengePurpose): Promise<string> {
  const body = Buffer.alloc(24)
  randomBytes(16).copy(body)
  body.writeBigUInt64BE(BigInt(Date.now() + CHALLENGE_LIFETIME_MS), 16)
  return Buffer.concat([body, await sign(ctx, purpose, body)]).toString('base64url')
}

/** Whether this server made the challenge for this purpose, and it has not expired. */
export async function isValidChallenge(ctx: Context, purpose: ChallengePurpose, challenge: string): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== 56 || bytes.toString('base64url') !== challenge) return false
  const [body, signature] = [bytes.subarray(0, 24), bytes.subarray(24)]
  return timingSafeEqual(signature, await sign(ctx, purpose, body)) && Number(body.readBigUInt64BE(16)) > Date.now()
}

/** Marks a challenge as used. False when it was used before. */
export async function spendChallenge(ctx: Context, challenge: string): Promise<boolean> {
  return (
    (await ctx.db.run(sql`
      insert into spent_challenges (digest, expires_at)
      values (${digestOf(challenge)}, now() + ${CHALLENGE_LIFETIME_MS} * interval '1 millisecond') on conflict do nothing`)) >
    0
  )
}

async function sign(ctx: Context, purpose: string, body: Buffer): Promise<Buffer> {
  const { cookieKey } = await getSecrets(ctx)
  return createHmac('sha256', cookieKey).update(`passkey ${purpose}\n`).update(body).digest()
}
