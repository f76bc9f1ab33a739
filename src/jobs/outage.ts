import { setTimeout as sleep } from 'node:timers/promises'
import type { QueryResult } from 'pg'
import type { Database } from '../db/database.ts'
import { Unavailable } from '../lib/errors.ts'

/** Seconds within which every running job sends a heartbeat; otherwise its process has ended. */
export const HEARTBEAT = 15

/** Milliseconds between retries of a statement, and until it fails. */
const RETRY_EVERY_MS = 250
const RETRY_FOR_MS = 60_000

export type Persistent = {
  run(text: string, values?: unknown[]): Promise<QueryResult>
  stop(): void
}

/**
 * Retries the queue's own statements until the database answers again: a finished job that is not recorded as such would
 * run a second time. The statements name the state that they change, so repeating one is safe.
 */
export function persistent(db: Database): Persistent {
  let stopped = false
  return {
    async run(text, values) {
      for (const end = Date.now() + RETRY_FOR_MS; ;) {
        try {
          return await db.raw(text, values)
        } catch (error) {
          if (!(error instanceof Unavailable) || stopped || Date.now() > end) throw error
        }
        await sleep(RETRY_EVERY_MS, undefined, { ref: false })
      }
    },
    stop() {
      stopped = true
    },
  }
}

/**
 * No worker received these jobs, because the connection was lost while they were fetched. Runs one heartbeat after the
 * reconnection, sooner than the library's check, and does not count as a failed attempt.
 */
export function requeueLost(db: Database, onError: (error: Error) => void): void {
  const requeue = async (): Promise<void> => {
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
  setTimeout(requeue, (HEARTBEAT + 1) * 1000).unref()
}
