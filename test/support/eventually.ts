import { setTimeout as delay } from 'node:timers/promises'

/** Seconds. Long enough for a slow machine that is busy with other tests: what happens ends the wait at once. */
const PATIENCE = 90

type Result<T> = T | null | undefined | false

/** Waits until `check` returns something other than null, undefined or false. Throws after 90 seconds. */
export async function eventually<T>(check: () => Result<T> | Promise<Result<T>>): Promise<T> {
  for (const end = Date.now() + PATIENCE * 1000; ;) {
    const value = await check()
    if (value !== null && value !== undefined && value !== false) return value
    if (Date.now() > end) throw new Error(`did not happen within ${PATIENCE} s`)
    await delay(25)
  }
}
