import { LRUCache } from 'lru-cache'
import { perServer, type Context } from '../../context.ts'

/** Activities per second of one host that run in the order in which they arrive, with those of others. */
const FAIR_RATE = 10
/** Milliseconds that share a priority, so that activities which arrive together share a job. */
const WINDOW = 5000
const EPOCH = Date.UTC(2026, 0)

/** Until when a host has used its share, in milliseconds. */
const usedUntil = perServer(() => new LRUCache<string, number>({ max: 10_000 }))

/**
 * The priority of the next activity of a host. Each activity uses a part of the host's share of time. When a host sends more than
 * its share, its activities run as if they had arrived later: after the present ones of all other hosts, but before ones that
 * arrive much later, and always in their own order.
 */
export function useShare(ctx: Context, host: string): number {
  const now = Date.now()
  const until = Math.max(now, usedUntil(ctx).get(host) ?? 0) + 1000 / FAIR_RATE
  usedUntil(ctx).set(host, until)
  const turn = until - now < WINDOW ? now : until
  return -Math.floor((turn - EPOCH) / WINDOW)
}
