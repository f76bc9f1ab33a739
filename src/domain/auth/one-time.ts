import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { newSecret } from './tokens.ts'
import { digestOf } from './viewer.ts'

/** What a link that works once is for. */
export type OneTimePurpose = 'confirmation' | 'password' | 'set-up'

const HOUR = 3600
/** How long each kind works: seconds. */
const LIFETIMES: Record<OneTimePurpose, number> = {
  confirmation: 7 * 24 * HOUR,
  password: 6 * HOUR,
  'set-up': 7 * 24 * HOUR,
}

export type OneTimeToken = { user_id: string | null; email: string | null }

/** Makes a one-time token; earlier ones of the same user and purpose stop working. Only its digest is kept. */
export async function issueOneTimeToken(
  ctx: Context,
  purpose: OneTimePurpose,
  about: { userId?: string; email?: string } = {},
): Promise<string> {
  const secret = newSecret()
  await ctx.transaction(async (tx) => {
    await dropOneTimeTokens(tx, purpose, about.userId ?? null)
    await tx.db.run(sql`
      insert into one_time_tokens (digest, purpose, user_id, email, expires_at)
      values (${digestOf(secret)}, ${purpose}, ${about.userId ?? null}, ${about.email ?? null}, now() + ${LIFETIMES[purpose]} * interval '1 second')`)
  })
  return secret
}

/** Looks at a token without using it up; null when it is unknown, used or too old. */
export async function findOneTimeToken(
  ctx: Context,
  purpose: OneTimePurpose,
  secret: string,
): Promise<OneTimeToken | null> {
  return ctx.db.maybe<OneTimeToken>(sql`
    select user_id, email from one_time_tokens where digest = ${digestOf(secret)} and purpose = ${purpose} and expires_at > now()`)
}

/** Uses a token up, in the transaction of what it allows. Of two at once only one is given it. */
export async function useOneTimeToken(
  tx: Context,
  purpose: OneTimePurpose,
  secret: string,
): Promise<OneTimeToken | null> {
  return tx.db.maybe<OneTimeToken>(sql`
    delete from one_time_tokens where digest = ${digestOf(secret)} and purpose = ${purpose} and expires_at > now()
    returning user_id, email`)
}

/** Makes the tokens of a purpose worthless: of one user, or those that belong to nobody. */
export async function dropOneTimeTokens(ctx: Context, purpose: OneTimePurpose, userId: string | null): Promise<void> {
  await ctx.db.run(
    sql`delete from one_time_tokens where purpose = ${purpose} and user_id is not distinct from ${userId}`,
  )
}
