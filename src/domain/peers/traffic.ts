// Counts the activities from and the deliveries to each server, by day.
import { perServer, type Context } from '../../context.ts'
import { type Sql, sql } from '../../db/sql.ts'

type Kind = 'received' | 'delivered' | 'failed'
type Counts = Record<Kind, number>

/** Counts are collected in memory and stored together. A crash loses those of the last seconds. */
const FLUSH_MS = 10_000
/** Days that are stored, and those that count as recent where traffic is shown. */
const STORED_DAYS = 90
export const RECENT_DAYS = 30

/** Whether the `day` of a row of peer_traffic is recent. */
export const isRecentDay: Sql = sql`day > current_date - ${RECENT_DAYS}::int`

const pending = perServer(() => ({ counts: new Map<string, Counts>(), timer: null as NodeJS.Timeout | null }))

/** `received` counts activities, `failed` attempts to deliver. */
export function countTraffic(ctx: Context, host: string, kind: Kind): void {
  const state = pending(ctx)
  const domain = host.toLowerCase()
  const counts = state.counts.get(domain) ?? { received: 0, delivered: 0, failed: 0 }
  counts[kind]++
  state.counts.set(domain, counts)
  state.timer ??= setTimeout(() => {
    flushTraffic(ctx).catch((error: unknown) => ctx.log.debug({ err: error }, 'traffic.not-stored'))
  }, FLUSH_MS).unref()
}

/** Stores what this process has counted. */
export async function flushTraffic(ctx: Context): Promise<void> {
  const state = pending(ctx)
  if (state.timer) clearTimeout(state.timer)
  state.timer = null
  const rows = [...state.counts].map(([domain, counts]) => ({ domain, ...counts }))
  state.counts.clear()
  if (rows.length === 0) return
  await ctx.db.run(sql`
    insert into peer_traffic as t (domain, day, received, delivered, failed)
    select r.domain, current_date, r.received, r.delivered, r.failed
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (domain text, received int, delivered int, failed int) order by r.domain
    on conflict (domain, day) do update set received = t.received + excluded.received, delivered = t.delivered + excluded.delivered,
      failed = t.failed + excluded.failed`)
}

export async function deleteOldTraffic(ctx: Context): Promise<void> {
  await ctx.db.run(sql`delete from peer_traffic where day < current_date - ${STORED_DAYS}::int`)
}
