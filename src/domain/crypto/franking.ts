import type { SystemKeys } from '../../db/schema.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { seal } from '../server/secrets.ts'
import { randomBytes } from 'node:crypto'

/** This server's attestation of a delivered message. Clients store it; no endpoint takes it back yet, as in Mastodon. */
type Franking = {
  hmac: string
  source_account_id: string
  target_account_id: string
  timestamp: string
  /** The attestation of the sender's server. */
  original_franking: string | null
}

type SystemKey = Pick<SystemKeys, 'key'>

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
    const key = randomBytes(32)
    await tx.db.run(sql`insert into system_keys (key) values (${key})`)
    return key
  })
}

const findCurrent = (ctx: Context): Promise<SystemKey | null> =>
  ctx.db.maybe<SystemKey>(sql`
    select key from system_keys where created_at > now() - interval '7 days' order by id desc limit 1`)

/** Clean-up task. Deletes keys whose seals have expired. */
export async function rotateSystemKeys(ctx: Context): Promise<void> {
  await ctx.db.run(sql`delete from system_keys where created_at < now() - interval '21 days'`)
  await currentSystemKey(ctx)
}

export const frank = (key: Buffer, franking: Franking): string => seal(key, JSON.stringify(franking)).toString('base64')
