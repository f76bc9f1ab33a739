import { Unavailable } from './errors.ts'

/** Runs work, so many pieces at a time, in the order they came. Throws Unavailable when too many pieces wait already. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>

export function createSlots(count: number, maxWaiting = Infinity): Slots {
  const queue: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (queue.length >= maxWaiting) throw new Unavailable()
    // Who has waited is handed the place of whoever leaves, so that nobody who comes just then takes it.
    if (running >= count) await new Promise<void>((resolve) => queue.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
}
