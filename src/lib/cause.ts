import { AsyncLocalStorage } from 'node:async_hooks'
import { newId } from './ids.ts'

/**
 * What made the server act: one delivery of another server, or one request of a client. Everything that follows belongs to it,
 * the jobs included that it enqueues, so that all of it together has one budget of outgoing requests.
 */
export type Cause = {
  id: string
  /** The host of the server whose signed activity it was; null for a client. */
  host: string | null
}

const causes = new AsyncLocalStorage<Cause | null>()

export const newCause = (): Cause => ({ id: newId(), host: null })

/** Runs `work` as a consequence of `cause`; null: of none, such as a clean-up. */
export const causedBy = <T>(cause: Cause | null, work: () => T): T => causes.run(cause, work)

export const currentCause = (): Cause | null => causes.getStore() ?? null
