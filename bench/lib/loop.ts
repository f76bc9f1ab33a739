import { Connection, type Target } from './http.ts'
import { quantile } from './numbers.ts'

/** Times in milliseconds. */
export type LoopResult = { answers: number; errors: number; seconds: number; p50: number; p99: number }

/** Returns the next request, or null when there are no more. */
export type Next = () => Buffer | null

/** Requests that one loop may send. */
const MOST = 300_000

/** Keeps `connections` connections busy for `seconds`. Each sends its next request when the response is complete. */
export async function loop(
  target: Target,
  next: Next,
  options: { connections: number; seconds: number },
): Promise<LoopResult> {
  const times: number[] = []
  let [errors, sent] = [0, 0]
  const start = performance.now()
  const end = start + options.seconds * 1000
  const drive = async (): Promise<void> => {
    const connection = new Connection(target)
    while (performance.now() < end && sent++ < MOST) {
      const request = next()
      if (!request) break
      const begin = performance.now()
      const { status } = await connection.send(request).catch(() => ({ status: 0 }))
      if (status >= 200 && status < 300) times.push(performance.now() - begin)
      else errors++
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: options.connections }, drive))
  const seconds = (performance.now() - start) / 1000
  return { answers: times.length, errors, seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
}
