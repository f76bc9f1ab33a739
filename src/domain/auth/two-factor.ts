import { randomInt } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Passkeys } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { digestOf } from './viewer.ts'
import { lockUser } from '../users/locks.ts'
import { hasSecondFactorSql } from '../users/states.ts'

export type SecondFactors = {
  /** When an authenticator app was registered; null without one. */
  totp: Date | null
  passkeys: PasskeyInfo[]
  recoveryCodes: number
}

export type PasskeyInfo = Pick<Passkeys, 'id' | 'name' | 'created_at' | 'last_used_at'>

export async function hasSecondFactor(ctx: Context, userId: string): Promise<boolean> {
  const row = await ctx.db.one<{ has: boolean }>(sql`
    select ${hasSecondFactorSql(sql`${userId}::bigint`)} as has`)
  return row.has
}

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

export async function removeSecondFactors(ctx: Context, userId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await lockUser(tx, userId)
    await tx.db.run(sql`delete from totp_keys where user_id = ${userId}`)
    await tx.db.run(sql`delete from passkeys where user_id = ${userId}`)
    await deleteLeftovers(tx, userId)
  })
}

/** False when no app was registered. */
export async function removeTotp(ctx: Context, userId: string): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    await lockUser(tx, userId)
    const deleted = await tx.db.run(sql`delete from totp_keys where user_id = ${userId} and confirmed_at is not null`)
    await deleteLeftovers(tx, userId)
    return deleted > 0
  })
}

export async function removePasskey(ctx: Context, userId: string, id: string): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    await lockUser(tx, userId)
    const deleted = await tx.db.run(sql`delete from passkeys where id = ${id} and user_id = ${userId}`)
    await deleteLeftovers(tx, userId)
    return deleted > 0
  })
}

/** Recovery codes replace a lost second factor; without one they would be further passwords. */
async function deleteLeftovers(tx: Context, userId: string): Promise<void> {
  if (await hasSecondFactor(tx, userId)) return
  await tx.db.run(sql`delete from recovery_codes where user_id = ${userId}`)
  await tx.db.run(sql`delete from sign_in_steps where user_id = ${userId}`)
}

const CODE_COUNT = 10
/** Without characters that are easily confused: about 5 bits each. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const CODE_LENGTH = 16

/** Replaces the former codes. Only digests are stored. Form: `abcd-efgh-jkmn-pqrs`. */
export async function issueRecoveryCodes(ctx: Context, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODE_COUNT }, newCode)
  await ctx.transaction(async (tx) => {
    await tx.db.run(sql`delete from recovery_codes where user_id = ${userId}`)
    await tx.db.run(sql`
      insert into recovery_codes (user_id, digest)
      select ${userId}::bigint, digest from unnest(${codes.map((code) => digestOf(normaliseCode(code)))}::bytea[]) as new (digest)`)
  })
  return codes
}

/** Null when the user has recovery codes. */
export async function issueFirstRecoveryCodes(tx: Context, userId: string): Promise<string[] | null> {
  await lockUser(tx, userId)
  const some = await tx.db.maybe(sql`select from recovery_codes where user_id = ${userId} limit 1`)
  return some ? null : issueRecoveryCodes(tx, userId)
}

export async function useRecoveryCode(ctx: Context, userId: string, code: string): Promise<boolean> {
  return (
    (await ctx.db.run(
      sql`delete from recovery_codes where user_id = ${userId} and digest = ${digestOf(normaliseCode(code))}`,
    )) > 0
  )
}

function newCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return (letters.match(/.{4}/g) ?? []).join('-')
}

const normaliseCode = (code: string): string => code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
