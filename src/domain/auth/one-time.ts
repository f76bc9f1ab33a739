import type { Context } from '../../context.ts'
import type { OneTimeTokens } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { lockUser } from '../users/locks.ts'
import { newSecret } from './tokens.ts'
import { digestOf } from './viewer.ts'

export type OneTimePurpose = 'confirmation' | 'password' | 'set-up'

const HOUR = 3600
/** Seconds. */
const LIFETIMES: Record<OneTimePurpose, number> = {
  confirmation: 7 * 24 * HOUR,
  password: 6 * HOUR,
  'set-up': 7 * 24 * HOUR,
}

export type OneTimeToken = Pick<OneTimeTokens, 'user_id' | 'email'>

/** Replaces the tokens of the same user and purpose, also those of simultaneous requests. Only the digest is stored. */
export async function issueOneTimeToken(
  ctx: Context,
  purpose: OneTimePurpose,
  about: { userId?: string; email?: string } = {},
): Promise<string> {
  const secret = newSecret()
  await ctx.transaction(async (tx) => {
    if (about.userId !== undefined) await lockUser(tx, about.userId)
    await deleteOneTimeTokens(tx, purpose, about.userId ?? null)
    await tx.db.run(sql`
      insert into one_time_tokens (digest, purpose, user_id, email, expires_at)
      values (${digestOf(secret)}, ${purpose}, ${about.userId ?? null}, ${about.email ?? null}, now() + ${LIFETIMES[purpose]} * interval '1 second')`)
  })
  return secret
}

/** Does not use the token. Null when it is unknown, used or expired. */
export async function findOneTimeToken(
  ctx: Context,
  purpose: OneTimePurpose,
  secret: string,
): Promise<OneTimeToken | null> {
  return ctx.db.maybe<OneTimeToken>(sql`
    select user_id, email from one_time_tokens where digest = ${digestOf(secret)} and purpose = ${purpose} and expires_at > now()`)
}

/**
 * Call it in the transaction of the act that the token allows: only one of two simultaneous requests gets it. Locks its user
 * first, as those do that replace the token.
 */
export async function useOneTimeToken(
  tx: Context,
  purpose: OneTimePurpose,
  secret: string,
): Promise<OneTimeToken | null> {
  return tx.db.maybe<OneTimeToken>(sql`
    with owner as (
      select u.id from users u join one_time_tokens t on t.user_id = u.id
      where t.digest = ${digestOf(secret)} and t.purpose = ${purpose} for no key update of u
    )
    delete from one_time_tokens t using (select count(*) from owner) locked
    where t.digest = ${digestOf(secret)} and t.purpose = ${purpose} and t.expires_at > now()
    returning t.user_id, t.email`)
}

/** `userId`: null means the tokens without a user. */
export async function deleteOneTimeTokens(ctx: Context, purpose: OneTimePurpose, userId: string | null): Promise<void> {
  await ctx.db.run(
    sql`delete from one_time_tokens where purpose = ${purpose} and user_id is not distinct from ${userId}`,
  )
}
