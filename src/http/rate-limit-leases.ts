import { perServer, type Context } from '../context.ts'
import { type Reservation, reserveUses } from '../domain/server/rate-limits.ts'

/** `points`: uses per `duration` (seconds). */
export type Limit = { name: string; points: number; duration: number }
export type Use = { isAllowed: boolean; remaining: number; msBeforeNext: number }

/**
 * The uses that this process may count by itself until a time, and those that are left to others. Times are of
 * `performance.now()`: a clock that is put back must not prolong a limit.
 */
type Lease = { own: number; others: number; until: number }

/** Milliseconds between removals of leases that have ended. */
const PURGE_EVERY_MS = 60_000
/** Milliseconds for which a process counts by itself while the database does not answer. */
const OUTAGE_MS = 5000

const leasesOf = perServer(() => ({
  byName: new Map<string, Map<string, Lease>>(),
  pending: new Map<string, Promise<void>>(),
  purgedAt: performance.now(),
}))

/** Counts a use. Processes with all roles count by themselves; the others share their limits through the database. */
export async function countUse(ctx: Context, limit: Limit, key: string): Promise<Use> {
  const leases = leasesFor(ctx, limit)
  for (;;) {
    const lease = leases.get(key)
    const now = performance.now()
    if (lease && now < lease.until && (lease.own > 0 || lease.others <= 0)) {
      const isAllowed = lease.own > 0
      if (isAllowed) lease.own--
      return { isAllowed, remaining: lease.own + lease.others, msBeforeNext: lease.until - now }
    }
    if (ctx.config.roles.length < 3) await renew(ctx, limit, key)
    else leases.set(key, { own: limit.points, others: 0, until: now + limit.duration * 1000 })
  }
}

/** Undoes one use of this process. */
export function returnUse(ctx: Context, limit: Limit, key: string): void {
  const lease = leasesFor(ctx, limit).get(key)
  if (lease) lease.own++
}

function leasesFor(ctx: Context, { name }: Limit): Map<string, Lease> {
  const state = leasesOf(ctx)
  const now = performance.now()
  if (now - state.purgedAt > PURGE_EVERY_MS) {
    state.purgedAt = now
    for (const leases of state.byName.values())
      for (const [key, { until }] of leases) if (until <= now) leases.delete(key)
  }
  let leases = state.byName.get(name)
  if (!leases) state.byName.set(name, (leases = new Map()))
  return leases
}

/** Simultaneous requests share one statement. */
function renew(ctx: Context, limit: Limit, key: string): Promise<void> {
  const { pending } = leasesOf(ctx)
  const id = `${limit.name}:${key}`
  let reserving = pending.get(id)
  if (!reserving) {
    reserving = reserve(ctx, limit, id).then(({ granted, left, ms }) => {
      pending.delete(id)
      leasesFor(ctx, limit).set(key, { own: granted, others: left, until: performance.now() + ms })
    })
    pending.set(id, reserving)
  }
  return reserving
}

/** Never throws: what else needs the database reports its failure. */
async function reserve(ctx: Context, { points, duration }: Limit, id: string): Promise<Reservation> {
  try {
    return await reserveUses(ctx, id, points, duration)
  } catch (error) {
    ctx.log.debug({ err: error }, 'rate-limit.not-shared')
    return { granted: points, left: 0, ms: OUTAGE_MS }
  }
}
