// The circuit breakers of other servers: while one is open, nothing is delivered to the host.
import { perServer, type Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import type { HostClass } from '../server/meters.ts'
import { lruCache } from '../../lib/lru-cache.ts'

/** `storedAt`: when the last success was stored, in milliseconds. `failures`: in a row, since the last success. */
type Health = { storedAt: number; failures: number }

/** The hosts whose circuit breakers are closed, because they have answered this process. */
const healthy = perServer(() => lruCache<string, Health>({ max: 10_000 }))

/** What this process knows about the host, without a query. */
export const hostClass = (ctx: Context, host: string): HostClass => (healthy(ctx).has(host) ? 'answering' : 'silent')

/** How often a success is stored, in milliseconds. */
const RECORD_INTERVAL = 3_600_000
/** So many failures in a row open the circuit breaker of a host that answered before. Otherwise the first one does. */
const MAX_FAILURES = 10
/** The shortest and the longest time for which the circuit breaker of a host stays open, in seconds. */
const MIN_OPEN_SECONDS = 30
const MAX_OPEN_SECONDS = 6 * 3600

/** Whether the circuit breaker of a host is open, because the host did not answer. */
export async function isUnavailable(ctx: Context, host: string): Promise<boolean> {
  if (healthy(ctx).has(host)) return false
  return (await ctx.db.maybe(sql`select from peers where domain = ${host} and retry_at > now()`)) !== null
}

/** Closes the circuit breaker. Writes at most once an hour while the host keeps answering. */
export async function recordSuccess(ctx: Context, host: string): Promise<void> {
  const health = healthy(ctx).get(host)
  if (health) health.failures = 0
  if (health && Date.now() - health.storedAt < RECORD_INTERVAL) return
  healthy(ctx).set(host, { storedAt: Date.now(), failures: 0 })
  await ctx.db.run(sql`
    insert into peers (domain, last_success_at) values (${host}, now())
    on conflict (domain) do update set last_success_at = now(), failing_since = null, retry_at = null`)
}

/**
 * The interval for which a circuit breaker stays open: a tenth of the time since `failingSince`, and at least this many seconds.
 * A dead server costs little, and one that returns is soon retried.
 */
export const openInterval = (failingSince: Sql, leastSeconds: number): Sql => sql`make_interval(secs => least(
  ${MAX_OPEN_SECONDS}::float8, greatest(${leastSeconds}::float8, extract(epoch from now() - ${failingSince})::float8 / 10)))`

/** `atOnce`: opens the circuit breaker of a host that answered before, too, as it wants fewer requests. */
export async function recordFailure(ctx: Context, host: string, { atOnce = false } = {}): Promise<void> {
  const health = healthy(ctx).get(host)
  if (health && !atOnce && ++health.failures < MAX_FAILURES) return
  healthy(ctx).delete(host)
  await ctx.db.run(sql`
    insert into peers (domain, failing_since, retry_at) values (${host}, now(), now() + make_interval(secs => ${MIN_OPEN_SECONDS}))
    on conflict (domain) do update set failing_since = coalesce(peers.failing_since, now()),
      retry_at = now() + ${openInterval(sql`coalesce(peers.failing_since, now())`, MIN_OPEN_SECONDS)}`)
}
