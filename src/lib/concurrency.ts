import pLimit from 'p-limit'
import { Unavailable } from './errors.ts'

export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>

/** Runs at most `count` calls at once, in order. Throws Unavailable when `maxWaiting` calls are waiting. */
export function createSemaphore(count: number, maxWaiting = Infinity): Semaphore {
  const limit = pLimit(count)
  return async (work) => {
    if (limit.pendingCount >= maxWaiting) throw new Unavailable()
    return limit(work)
  }
}

export function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => (made ??= { value: make() }).value
}
