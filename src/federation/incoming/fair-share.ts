import { perServer, type Context } from '../../context.ts'
import { siteOf } from '../../domain/peers/budgets.ts'
import { memoized } from '../../domain/server/settings.ts'
import { hasMoreWaiting } from '../../jobs/overview.ts'
import { TooMany } from '../../lib/errors.ts'
import { lruCache } from '../../lib/lru-cache.ts'

/** Activities per second of one site that run in the order in which they arrive, with those of others. */
const FAIR_RATE = 10
/** Characters that count as one activity. Most have fewer. */
const UNIT = 16 * 1024
/** Milliseconds that share a priority, so that activities which arrive together share a job. */
const WINDOW = 5000
const EPOCH = Date.UTC(2026, 0)

/** Until when a site has used its share, in milliseconds. */
const usedUntil = perServer(() => lruCache<string, number>({ max: 10_000 }))

/**
 * The priority of the next activity of a host, which then counts as received: each uses a part of the time that its site has, a
 * long one several parts. When a site sends more than its share, its activities run as if they had arrived later: after the
 * present ones of all others, but before ones that arrive much later, and always in their own order. `length`: in characters.
 */
export function nextPriority(ctx: Context, host: string, length = 0): number {
  const now = Date.now()
  const site = siteOf(host)
  const parts = 1 + Math.floor(length / UNIT)
  const until = Math.max(now, usedUntil(ctx).get(site) ?? 0) + (parts * 1000) / FAIR_RATE
  usedUntil(ctx).set(site, until)
  const turn = until - now < WINDOW ? now : until
  return -Math.floor((turn - EPOCH) / WINDOW)
}

/** Milliseconds by which a site may be ahead of its share while the server is behind. */
const MAX_AHEAD = 60 * 60_000
/** Jobs that wait when the server is behind. */
const MANY_JOBS = 10_000
/** Seconds. */
const RETRY_AFTER = 600

const isBehind = memoized(1, (ctx) => hasMoreWaiting(ctx.db, 'federation.receive', MANY_JOBS))

/**
 * Throws TooMany for a host whose site is far ahead of its share while activities arrive faster than the server processes them:
 * otherwise those that wait could fill the disk. Other servers try again later.
 */
export async function refuseFlood(ctx: Context, host: string): Promise<void> {
  const ahead = (usedUntil(ctx).get(siteOf(host)) ?? 0) - Date.now()
  if (ahead >= MAX_AHEAD && (await isBehind(ctx))) throw new TooMany(undefined, RETRY_AFTER)
}
