/** So long a batch may take before another worker stands in; and so many do so for one kind at most. */
const AFTER_MS = 1500
const MOST = 6

/** How another worker is started, by its id, and stopped once it is done with what it has. */
export type Workers = { start(): Promise<string>; stop(id: string): Promise<void> }

/**
 * Has other workers go on with what waits while a batch takes long. Gives what to call at the beginning of a batch; and that
 * gives what to call at its end. `failed` hears why nobody could stand in.
 */
export function standIns(workers: Workers, failed: (error: unknown) => void): () => () => void {
  let count = 0
  return () => {
    let worker: Promise<string> | null = null
    const timer = setTimeout(() => {
      if (count >= MOST) return
      count++
      worker = workers.start()
      worker.catch(failed)
    }, AFTER_MS)
    return () => {
      clearTimeout(timer)
      if (worker === null) return
      count--
      worker.then((id) => workers.stop(id)).catch(failed)
    }
  }
}
