import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/** What somebody proves themselves with beside the password. */
export type SecondFactors = {
  /** Since when an authenticator app is asked for its code; null: none is. */
  totp: Date | null
  passkeys: PasskeyInfo[]
  recoveryCodes: number
}

export type PasskeyInfo = { id: string; name: string; created_at: Date; last_used_at: Date | null }

/** Whether a password alone does not let this user in: an authenticator app or a passkey is registered. */
export async function hasSecondFactor(ctx: Context, userId: string): Promise<boolean> {
  const row = await ctx.db.one<{ has: boolean }>(sql`
    select exists (select from totp_keys where user_id = ${userId} and confirmed_at is not null)
      or exists (select from passkeys where user_id = ${userId}) as has`)
  return row.has
}

/** The second factors of a user, for their own eyes. */
export async function secondFactorsOf(ctx: Context, userId: string): Promise<SecondFactors> {
  const [facts, passkeys] = await Promise.all([
    ctx.db.one<{ totp: Date | null; codes: number }>(sql`
      select (select confirmed_at from totp_keys where user_id = ${userId}) as totp,
        (select count(*)::int from recovery_codes where user_id = ${userId}) as codes`),
    ctx.db.many<PasskeyInfo>(
      sql`select id, name, created_at, last_used_at from passkeys where user_id = ${userId} order by id`,
    ),
  ])
  return { totp: facts.totp, passkeys, recoveryCodes: facts.codes }
}

/**
 * Makes changes to somebody's second factors happen one after the other, until the transaction ends: the last one that goes takes
 * the recovery codes along, and the first one that comes brings some.
 */
export async function holdFactors(tx: Context, userId: string): Promise<void> {
  await tx.db.run(sql`select from users where id = ${userId} for no key update`)
}

/** Takes all second factors of a user away: the password alone lets them in again. */
export async function removeSecondFactors(ctx: Context, userId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await holdFactors(tx, userId)
    await tx.db.run(sql`delete from totp_keys where user_id = ${userId}`)
    await tx.db.run(sql`delete from passkeys where user_id = ${userId}`)
    await dropLeftovers(tx, userId)
  })
}

/** Takes the authenticator app away. */
export async function removeTotp(ctx: Context, userId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await holdFactors(tx, userId)
    await tx.db.run(sql`delete from totp_keys where user_id = ${userId}`)
    await dropLeftovers(tx, userId)
  })
}

/** Takes one passkey away. False when the user has no such passkey. */
export async function removePasskey(ctx: Context, userId: string, id: string): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    await holdFactors(tx, userId)
    const gone = await tx.db.run(sql`delete from passkeys where id = ${id} and user_id = ${userId}`)
    await dropLeftovers(tx, userId)
    return gone > 0
  })
}

/** Recovery codes are for whoever has lost a second factor; without one they would be passwords of their own. */
async function dropLeftovers(tx: Context, userId: string): Promise<void> {
  if (await hasSecondFactor(tx, userId)) return
  await tx.db.run(sql`delete from recovery_codes where user_id = ${userId}`)
  await tx.db.run(sql`delete from sign_in_steps where user_id = ${userId}`)
}
