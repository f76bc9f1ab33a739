import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { getSecrets } from '../server/secrets.ts'
import { digestOf } from './viewer.ts'

/** What a passkey is asked for: registration and second step are of one user, `sign-in` of whoever it may be. */
export type ChallengePurpose = `registration ${string}` | `second step ${string}` | 'sign-in'

/** How long a challenge may be answered: milliseconds. */
const CHALLENGE_LIFETIME = 10 * 60_000

/** A challenge as base64url: random bytes and an expiry, signed with what it is for. Nothing is stored for it. */
export async function makeChallenge(ctx: Context, purpose: ChallengePurpose): Promise<string> {
  const body = Buffer.alloc(24)
  randomBytes(16).copy(body)
  body.writeBigUInt64BE(BigInt(Date.now() + CHALLENGE_LIFETIME), 16)
  return Buffer.concat([body, await sign(ctx, purpose, body)]).toString('base64url')
}

/** Whether a challenge is one of ours for this purpose, and may still be answered. */
export async function isOurChallenge(ctx: Context, purpose: ChallengePurpose, challenge: string): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== 56 || bytes.toString('base64url') !== challenge) return false
  const [body, signature] = [bytes.subarray(0, 24), bytes.subarray(24)]
  return timingSafeEqual(signature, await sign(ctx, purpose, body)) && Number(body.readBigUInt64BE(16)) > Date.now()
}

/** Marks a challenge as answered. False when it was before. */
export async function spendChallenge(ctx: Context, challenge: string): Promise<boolean> {
  return (
    (await ctx.db.run(sql`
      insert into spent_challenges (digest, expires_at)
      values (${digestOf(challenge)}, now() + ${CHALLENGE_LIFETIME} * interval '1 millisecond') on conflict do nothing`)) >
    0
  )
}

async function sign(ctx: Context, purpose: string, body: Buffer): Promise<Buffer> {
  const { cookieKey } = await getSecrets(ctx)
  return createHmac('sha256', cookieKey).update(`passkey ${purpose}\n`).update(body).digest()
}
