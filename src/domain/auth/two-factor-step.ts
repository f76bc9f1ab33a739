import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { newSecret } from './tokens.ts'
import { useRecoveryCode } from './two-factor-codes.ts'
import { useTotp } from './two-factor-totp.ts'
import { digestOf } from './viewer.ts'

/** How long somebody has for the second step: minutes. */
const STEP_MINUTES = 10
/** How many wrong codes until the password is asked for again. */
const MAX_ATTEMPTS = 5

/** Notes that somebody's password was right, and gives the secret with which they come back for the second step. */
export async function beginSecondStep(ctx: Context, userId: string): Promise<string> {
  const secret = newSecret()
  await ctx.db.run(sql`
    insert into sign_in_steps (digest, user_id, expires_at)
    values (${digestOf(secret)}, ${userId}, now() + make_interval(mins => ${STEP_MINUTES}::int))`)
  return secret
}

/** Whose second step this is; null when it is done, too old, or was tried too often. */
export async function findSecondStep(ctx: Context, secret: string): Promise<string | null> {
  const row = await ctx.db.maybe<{ user_id: string }>(sql`
    select user_id from sign_in_steps where digest = ${digestOf(secret)} and expires_at > now() and attempts < ${MAX_ATTEMPTS}`)
  return row?.user_id ?? null
}

/** Takes the second step with a code, of the app or for recovery. Gives the user's id; null for a wrong code, which counts. */
export async function takeSecondStep(ctx: Context, secret: string, code: string): Promise<string | null> {
  // Counted before it is looked at, so that many at once do not get more tries.
  const step = await ctx.db.maybe<{ user_id: string }>(sql`
    update sign_in_steps set attempts = attempts + 1
    where digest = ${digestOf(secret)} and expires_at > now() and attempts < ${MAX_ATTEMPTS} returning user_id`)
  if (!step) return null
  const fits = (await useTotp(ctx, step.user_id, code)) || (await useRecoveryCode(ctx, step.user_id, code))
  if (!fits) return null
  await endSecondStep(ctx, secret)
  return step.user_id
}

/** The second step is done, by whatever means. */
export async function endSecondStep(ctx: Context, secret: string): Promise<void> {
  await ctx.db.run(sql`delete from sign_in_steps where digest = ${digestOf(secret)}`)
}
