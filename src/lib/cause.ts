import { AsyncLocalStorage } from 'node:async_hooks'
import { newId } from './ids.ts'

/**
 * One delivery of a remote server, or one request of a client. All outgoing requests that it causes share one budget, including
 * those of the jobs that it enqueues.
 */
export type Cause = {
  id: string
  host: string | null
}

const causes = new AsyncLocalStorage<Cause | null>()

export const newCause = (): Cause => ({ id: newId(), host: null })

export const causedBy = <T>(cause: Cause | null, work: () => T): T => causes.run(cause, work)

export const currentCause = (): Cause | null => causes.getStore() ?? null
