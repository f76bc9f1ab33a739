import type { Database } from '../db/database.ts'

/** How often it is looked for what others put off: other processes, and attempts that failed. In milliseconds. */
const SELDOM = 5000
/** So far apart are looks at least. */
const APART = 500
/** Clocks and timers are not exact: who looks a moment early would have to look again. */
const SLACK = 10

export type Alarm = {
  /** Looks at this instant (Unix time in milliseconds) at the latest. */
  set(at: number): void
  stop(): void
}

/**
 * Notices when jobs come due that were put off until an instant: one look for all kinds, when the next is due and now and then,
 * in place of a worker of each kind that looks by itself all the time. `wake` is called with each kind that has something to do.
 */
export function startAlarm(db: Database, wake: (name: string) => void, onError: (error: Error) => void): Alarm {
  let timer: NodeJS.Timeout | null = null
  let next = Infinity
  let last = 0
  let stopped = false

  const set = (at: number): void => {
    // Never further off than the next look in any case: clocks jump, and timers know no year.
    const now = Date.now()
    const from = Math.min(Math.max(at, last + APART, now), now + SELDOM)
    if (stopped || from >= next) return
    if (timer) clearTimeout(timer)
    next = from
    timer = setTimeout(look, from - now + SLACK).unref()
  }
  const look = async (): Promise<void> => {
    // What is set while it looks is for the next look.
    next = Infinity
    last = Date.now()
    try {
      for (const { name, due, rest } of await waiting(db)) {
        if (due) wake(name)
        if (rest !== null) set(Date.now() + rest)
      }
    } catch (error) {
      onError(error as Error)
    }
    set(last + SELDOM)
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

/** The kinds of which jobs wait, whether one is due, and in how many milliseconds the next one is that is not yet. */
async function waiting(db: Database): Promise<{ name: string; due: boolean; rest: number | null }[]> {
  const { rows } = await db.raw(`
    select name, bool_or(start_after <= now()) as due,
      (extract(epoch from min(start_after) filter (where start_after > now()) - now()) * 1000)::float8 as rest
    from pgboss.job where state < 'active' and not blocked group by name`)
  return rows
}
