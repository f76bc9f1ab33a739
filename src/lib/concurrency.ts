import pLimit from 'p-limit'
import { Unavailable } from './errors.ts'

/** Runs a piece of work when its turn comes. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>

/** Runs at most `count` pieces of work at once, in the order they came. Throws Unavailable when `maxWaiting` wait already. */
export function createSemaphore(count: number, maxWaiting = Infinity): Semaphore {
  const limit = pLimit(count)
  return async (work) => {
    if (limit.pendingCount >= maxWaiting) throw new Unavailable()
    return limit(work)
  }
}

/** Does something when it is first asked for, and no second time: what costs time and may never be needed. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => (made ??= { value: make() }).value
}
