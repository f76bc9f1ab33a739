// How the queue gets through a loss of the database.
import { setTimeout as sleep } from 'node:timers/promises'
import type { QueryResult } from 'pg'
import type { Database } from '../db/database.ts'
import { Unavailable } from '../lib/errors.ts'

/** A running job says so more often than this, in seconds; one that does not has lost its process, or its process lost it. */
export const HEARTBEAT = 15

/** How often and how long a statement is repeated while the database does not answer, in milliseconds. */
const PAUSE = 250
const PATIENCE = 60_000

export type Persistent = {
  run(text: string, values?: unknown[]): Promise<QueryResult>
  /** From here on nothing is repeated. */
  stop(): void
}

/**
 * Repeats the queue's own statements until the database answers again: a finished job whose end is not recorded would
 * run a second time, and only when its heartbeat is missed. They may be repeated: they name the state they change.
 */
export function persistent(db: Database): Persistent {
  let stopped = false
  return {
    async run(text, values) {
      for (const end = Date.now() + PATIENCE; ;) {
        try {
          return await db.raw(text, values)
        } catch (error) {
          if (!(error instanceof Unavailable) || stopped || Date.now() > end) throw error
        }
        await sleep(PAUSE, undefined, { ref: false })
      }
    },
    stop() {
      stopped = true
    },
  }
}

/**
 * Puts back the jobs that were handed out when the connection was lost, so that no worker knows of them: a heartbeat after
 * the connection is there again, and sooner than the library's own look. It does not count as a failed attempt.
 */
export function takeUpLost(db: Database, onError: (error: Error) => void): void {
  const look = async (): Promise<void> => {
    try {
      await db.raw(
        `update pgboss.job set state = 'retry', start_after = now(), heartbeat_on = null
         where state = 'active' and heartbeat_on < now() - $1 * interval '1 second'`,
        [HEARTBEAT],
      )
    } catch (error) {
      onError(error as Error)
    }
  }
  setTimeout(look, (HEARTBEAT + 1) * 1000).unref()
}
