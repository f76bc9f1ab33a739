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

type PromiseCache<T> = Pick<Map<string, Promise<T>>, 'get' | 'delete'> & {
  set(key: string, value: Promise<T>): unknown
}

/** Concurrent calls share a read. One that fails does not stay in the cache. */
export function cachedRead<T>(cache: PromiseCache<T>, key: string, read: () => Promise<T>): Promise<T> {
  const known = cache.get(key)
  if (known) return known
  const reading = read()
  cache.set(key, reading)
  reading.catch(() => cache.delete(key))
  return reading
}

/** Calls that come while `work` of the same key runs share it. */
export function sharedWork<T>(running: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const known = running.get(key)
  if (known) return known
  const result = work().finally(() => running.delete(key))
  running.set(key, result)
  return result
}

/**
 * As sharedWork, for callers that need the work to begin after their call: it waits for work that is running, and calls that wait
 * together share the next one.
 */
export function sharedNextWork<T>(running: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const known = running.get(key)
  if (!known) return sharedWork(running, key, work)
  return sharedWork(running, `next ${key}`, async () => {
    await Promise.allSettled([known])
    return sharedWork(running, key, work)
  })
}
