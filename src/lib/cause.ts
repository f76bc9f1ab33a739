import { AsyncLocalStorage } from 'node:async_hooks'
import { newId } from './ids.ts'

/**
 * The cause of outgoing requests: one delivery of a remote server, or one request of a client. Everything that follows
 * from it shares one budget of outgoing requests, including the jobs that it enqueues.
 */
export type Cause = {
  id: string
  /** The host of the server that signed the activity; null for a client. */
  host: string | null
}

const causes = new AsyncLocalStorage<Cause | null>()

export const newCause = (): Cause => ({ id: newId(), host: null })

/** Runs `work` with a cause; null for none, such as for clean-up. */
export const causedBy = <T>(cause: Cause | null, work: () => T): T => causes.run(cause, work)

export const currentCause = (): Cause | null => causes.getStore() ?? null
