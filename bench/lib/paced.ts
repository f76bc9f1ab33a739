import { setTimeout as delay } from 'node:timers/promises'
import { Connection, type Target } from './http.ts'

/** Milliseconds between requests: load that leaves most of the machine idle. */
const INTERVAL = 10
const MOST_CONNECTIONS = 64

/**
 * Sends requests at a fixed rate, however long the responses take, until `work` ends. Returns the milliseconds from the time at
 * which each was due to its response, for those that were due while `work` ran.
 */
export async function pacedRequests(
  target: Target,
  requests: readonly Buffer[],
  work: () => Promise<void>,
): Promise<number[]> {
  const idle = Array.from({ length: MOST_CONNECTIONS }, () => new Connection(target))
  const all = [...idle]
  const times: number[] = []
  const waiting: Promise<void>[] = []
  let working = true
  const ended = work().finally(() => (working = false))
  const start = performance.now()
  for (let n = 0; working; n++) {
    const due = start + n * INTERVAL
    await delay(Math.max(0, due - performance.now()))
    const connection = idle.pop()
    if (!connection) continue
    const answered = connection.send(requests[n % requests.length] as Buffer).then(() => {
      times.push(performance.now() - due)
      idle.push(connection)
    })
    waiting.push(answered)
  }
  await ended
  await Promise.all(waiting)
  for (const connection of all) connection.close()
  return times
}
