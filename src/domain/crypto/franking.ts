import type { SystemKeys } from '../../db/schema.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { seal, unseal } from '../server/secrets.ts'
import { randomBytes } from 'node:crypto'

/** The facts about a delivered message that this server attests, in case its recipient reports it. */
export type Franking = {
  hmac: string
  source_account_id: string
  target_account_id: string
  timestamp: string
  /** The attestation of the sender's server. */
  original_franking: string | null
}

type SystemKey = Pick<SystemKeys, 'id' | 'key'>

/** Advisory lock, held while a new key is generated. */
const ROTATION = 0x66726e6b

/** Generates a new key each week. */
export async function currentSystemKey(ctx: Context): Promise<Buffer> {
  const current = await findCurrent(ctx)
  if (current) return current.key
  return ctx.transaction(async (tx) => {
    await tx.db.run(sql`select pg_advisory_xact_lock(${ROTATION}::bigint)`)
    const made = await findCurrent(tx)
    if (made) return made.key
    const { key } = await tx.db.one<SystemKey>(
      sql`insert into system_keys (key) values (${randomBytes(32)}) returning id, key`,
    )
    return key
  })
}

const findCurrent = (ctx: Context): Promise<SystemKey | null> =>
  ctx.db.maybe<SystemKey>(sql`
    select id, key from system_keys where created_at > now() - interval '7 days' order by id desc limit 1`)

/** Clean-up task. Deletes keys whose seals have expired. */
export async function rotateSystemKeys(ctx: Context): Promise<void> {
  await ctx.db.run(sql`delete from system_keys where created_at < now() - interval '21 days'`)
  await currentSystemKey(ctx)
}

export const frank = (key: Buffer, franking: Franking): string => seal(key, JSON.stringify(franking)).toString('base64')

/** Null for a seal that is foreign, altered or expired. */
export async function readFranking(ctx: Context, sealed: string): Promise<Franking | null> {
  const bytes = Buffer.from(sealed, 'base64')
  const keys = await ctx.db.many<SystemKey>(sql`select id, key from system_keys order by id desc`)
  for (const { key } of keys) {
    try {
      return JSON.parse(unseal(key, bytes)) as Franking
    } catch {
      // It was made with another key.
    }
  }
  return null
}
