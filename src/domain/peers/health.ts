import { LRUCache } from 'lru-cache'
import { perServer, type Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/** How a request is signed: as nearly everybody does, or by RFC 9421. */
export type SignatureScheme = 'draft-cavage' | 'rfc9421'

/** What is known of how hosts want requests to be signed. Another process may have learned better meanwhile. */
const schemes = perServer(() => new LRUCache<string, SignatureScheme>({ max: 10_000, ttl: 600_000 }))

/** How a host wants requests to be signed, as far as is known. */
export async function signatureScheme(ctx: Context, host: string): Promise<SignatureScheme> {
  const known = schemes(ctx).get(host)
  if (known) return known
  const row = await ctx.db.maybe<{ signature: 'rfc9421' | null }>(
    sql`select signature from peers where domain = ${host}`,
  )
  const scheme = row?.signature ?? 'draft-cavage'
  schemes(ctx).set(host, scheme)
  return scheme
}

/** Notes that a host takes this scheme, and not the other. */
export async function noteScheme(ctx: Context, host: string, scheme: SignatureScheme): Promise<void> {
  schemes(ctx).set(host, scheme)
  const signature = scheme === 'rfc9421' ? scheme : null
  await ctx.db.run(sql`
    insert into peers (domain, signature) values (${host}, ${signature})
    on conflict (domain) do update set signature = excluded.signature`)
}

/** Hosts known to answer, and when that was last written down. */
const healthy = perServer(() => new LRUCache<string, number>({ max: 10_000 }))

/** How often success is written down, in milliseconds. */
const NOTE_EVERY = 3_600_000
/** The shortest and the longest rest of a host that does not answer, in seconds. */
const SHORTEST = 30
const LONGEST = 6 * 3600

/** Whether a host that did not answer is still to be left alone. */
export async function isResting(ctx: Context, host: string): Promise<boolean> {
  if (healthy(ctx).has(host)) return false
  return (await ctx.db.maybe(sql`select from peers where domain = ${host} and retry_at > now()`)) !== null
}

/** Notes that a host answered. Writes at most once an hour while all is well. */
export async function noteSuccess(ctx: Context, host: string): Promise<void> {
  const last = healthy(ctx).get(host)
  if (last !== undefined && Date.now() - last < NOTE_EVERY) return
  healthy(ctx).set(host, Date.now())
  await ctx.db.run(sql`
    insert into peers (domain, last_success_at) values (${host}, now())
    on conflict (domain) do update set last_success_at = now(), failing_since = null, retry_at = null`)
}

/**
 * Notes that a host did not answer. It then rests: a tenth of the time for which it has been failing, so that a dead peer
 * costs next to nothing, and one that comes back is soon tried.
 */
export async function noteFailure(ctx: Context, host: string): Promise<void> {
  healthy(ctx).delete(host)
  await ctx.db.run(sql`
    insert into peers (domain, failing_since, retry_at) values (${host}, now(), now() + make_interval(secs => ${SHORTEST}))
    on conflict (domain) do update set failing_since = coalesce(peers.failing_since, now()),
      retry_at = now() + make_interval(secs => least(${LONGEST}, greatest(${SHORTEST}, extract(epoch from now() - coalesce(peers.failing_since, now())) / 10)))`)
}
