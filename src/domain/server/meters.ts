import { perServer, type Context } from '../../context.ts'

/**
 * Whether the remote host has answered this process, and its circuit breaker has not opened since: for figures that do not name
 * hosts.
 */
export type HostClass = 'answering' | 'silent'

/**
 * The outcome of an attempt to deliver an activity: delivered, rejected (by its inbox, for good), refused (by this server:
 * address or policy), failed (to be retried), skipped (the host's circuit breaker is open), dropped (there is no current content
 * to send).
 */
export type DeliveryOutcome = 'delivered' | 'rejected' | 'refused' | 'failed' | 'skipped' | 'dropped'

/** Figures that the server counts while it works. `monitoring/` has those that are read on request. */
export type Meters = {
  job(kind: string, outcome: 'completed' | 'failed', seconds: number): void
  delivery(outcome: DeliveryOutcome, host: HostClass): void
  received(type: string, outcome: 'processed' | 'ignored' | 'failed'): void
  feedRows(rows: number): void
  feedBuilt(seconds: number): void
  streamEvents(type: string, receivers: number): void
}

const stateOf = perServer(() => ({ meters: null as Meters | null }))

/** Null unless figures are exported: `metersOf(ctx)?.feedRows(3)` then costs one look-up. */
export const metersOf = (ctx: Context): Meters | null => stateOf(ctx).meters

export function setMeters(ctx: Context, meters: Meters): void {
  stateOf(ctx).meters = meters
}
