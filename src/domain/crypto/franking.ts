import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { seal, unseal } from '../server/secrets.ts'
import { randomBytes } from 'node:crypto'

/** What this server attests of a message it delivered, should its recipient report it. */
export type Franking = {
  hmac: string
  source_account_id: string
  target_account_id: string
  timestamp: string
  /** What the server it came from had attested. */
  original_franking: string | null
}

type SystemKey = { id: string; key: Buffer }

/** Any constant: whoever makes a new key holds this advisory lock. */
const ROTATION = 0x66726e6b

/** The key that seals at present. A new one is made each week. */
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

/** For the sweep: makes a new key when it is time, and forgets those with which nothing can be attested any more. */
export async function rotateSystemKeys(ctx: Context): Promise<void> {
  await ctx.db.run(sql`delete from system_keys where created_at < now() - interval '21 days'`)
  await currentSystemKey(ctx)
}

/** Seals what is attested with a system key: base64, meaningless to everybody else. */
export const frank = (key: Buffer, franking: Franking): string => seal(key, JSON.stringify(franking)).toString('base64')

/** What this server attested with a seal; null when it is none of ours, was changed, or is too old. */
export async function readFranking(ctx: Context, sealed: string): Promise<Franking | null> {
  const bytes = Buffer.from(sealed, 'base64')
  const keys = await ctx.db.many<SystemKey>(sql`select id, key from system_keys order by id desc`)
  for (const { key } of keys) {
    try {
      return JSON.parse(unseal(key, bytes)) as Franking
    } catch {
      // Made with another key.
    }
  }
  return null
}
