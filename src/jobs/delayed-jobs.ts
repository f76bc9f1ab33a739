import type { Database } from '../db/database.ts'

/** Milliseconds between checks for jobs that other processes delayed, and for retries. */
const CHECK_EVERY_MS = 5000
const MIN_GAP_MS = 500
/** Clocks and timers are not exact: a check that runs a moment early would have to run again. */
const SLACK_MS = 10

export type DelayedJobTimer = {
  /** `at`: Unix time in milliseconds. Checks at this time at the latest. */
  set(at: number): void
  stop(): void
}

/**
 * Calls `wake` with each kind that has a due job. One query covers all kinds, when the next job is due and every few seconds, so
 * that no worker has to poll for its own kind.
 */
export function startDelayedJobTimer(
  db: Database,
  wake: (name: string) => void,
  onError: (error: Error) => void,
): DelayedJobTimer {
  let timer: NodeJS.Timeout | null = null
  let next = Infinity
  let last = 0
  let stopped = false

  const set = (at: number): void => {
    // Never later than the next regular check: clocks jump, and setTimeout overflows after 24 days.
    const now = Date.now()
    const from = Math.min(Math.max(at, last + MIN_GAP_MS, now), now + CHECK_EVERY_MS)
    if (stopped || from >= next) return
    if (timer) clearTimeout(timer)
    next = from
    timer = setTimeout(check, from - now + SLACK_MS).unref()
  }
  const check = async (): Promise<void> => {
    // A time that is set during this check counts for the next one.
    next = Infinity
    last = Date.now()
    try {
      for (const { name, due, wait_ms: waitMs } of await waitingKinds(db)) {
        if (due) wake(name)
        if (waitMs !== null) set(Date.now() + waitMs)
      }
    } catch (error) {
      onError(error as Error)
    }
    set(last + CHECK_EVERY_MS)
  }
  set(Date.now())
  return {
    set,
    stop() {
      stopped = true
      if (timer) clearTimeout(timer)
    },
  }
}

async function waitingKinds(db: Database): Promise<{ name: string; due: boolean; wait_ms: number | null }[]> {
  const { rows } = await db.raw(`
    select name, bool_or(start_after <= now()) as due,
      (extract(epoch from min(start_after) filter (where start_after > now()) - now()) * 1000)::float8 as wait_ms
    from pgboss.job where state < 'active' and not blocked group by name`)
  return rows
}
