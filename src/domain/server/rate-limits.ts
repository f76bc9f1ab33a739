import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/** How many uses a process may count by itself, how many are left to others, and the milliseconds until the period ends. */
export type Reservation = { granted: number; left: number; ms: number }

/**
 * Reserves some of the `limit` uses that all processes share in `seconds`: a twentieth of the rest, so that few requests need a
 * statement. Single uses are reserved when few are left, so that no process holds uses that another one needs.
 */
export async function reserveUses(ctx: Context, key: string, limit: number, seconds: number): Promise<Reservation> {
  // Zero when all are in use.
  const share = sql`least(${limit}::int - r.uses, greatest(1, (${limit}::int - r.uses) / 20))`
  return ctx.db.one<Reservation>(sql`
    insert into rate_limits as r (key, uses, granted, expires_at)
    select ${key}, first, first, now() + ${seconds}::int * interval '1 second' from greatest(1, ${limit}::int / 20) first
    on conflict (key) do update set
      granted = case when r.expires_at <= now() then excluded.granted else ${share} end,
      uses = case when r.expires_at <= now() then excluded.uses else r.uses + ${share} end,
      expires_at = case when r.expires_at <= now() then excluded.expires_at else r.expires_at end
    returning granted, ${limit}::int - uses as left, (extract(epoch from expires_at - now()) * 1000)::float8 as ms`)
}
