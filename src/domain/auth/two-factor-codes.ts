import { randomInt } from 'node:crypto'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { digestOf } from './viewer.ts'
import { holdFactors } from './two-factor.ts'

const HOW_MANY = 10
/** Without what is easily mistaken for something else: about 5 bits each. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 16

/** Makes recovery codes in place of those there were, and gives them, this once: `abcd-efgh-jkmn-pqrs`. Only digests are kept. */
export async function issueRecoveryCodes(ctx: Context, userId: string): Promise<string[]> {
  const codes = Array.from({ length: HOW_MANY }, newCode)
  await ctx.transaction(async (tx) => {
    await tx.db.run(sql`delete from recovery_codes where user_id = ${userId}`)
    await tx.db.run(sql`
      insert into recovery_codes (user_id, digest)
      select ${userId}::bigint, digest from unnest(${codes.map((code) => digestOf(plain(code)))}::bytea[]) as made (digest)`)
  })
  return codes
}

/** Makes recovery codes for somebody who has none yet; null for whoever has some. */
export async function issueFirstRecoveryCodes(tx: Context, userId: string): Promise<string[] | null> {
  await holdFactors(tx, userId)
  const some = await tx.db.maybe(sql`select from recovery_codes where user_id = ${userId} limit 1`)
  return some ? null : issueRecoveryCodes(tx, userId)
}

/** Uses a recovery code up. False for what is none (any more). */
export async function useRecoveryCode(ctx: Context, userId: string, code: string): Promise<boolean> {
  return (
    (await ctx.db.run(
      sql`delete from recovery_codes where user_id = ${userId} and digest = ${digestOf(plain(code))}`,
    )) > 0
  )
}

function newCode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return (letters.match(/.{4}/g) ?? []).join('-')
}

/** However it was copied: spaces, hyphens and capitals do not matter. */
const plain = (code: string): string => code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
