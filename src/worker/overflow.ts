/** Milliseconds after which an overflow worker joins a slow batch; and how many may run per kind. */
const AFTER_MS = 1500
const MAX_WORKERS = 6

type WorkerControl = { start(): Promise<string>; stop(id: string): Promise<void> }

/**
 * Starts overflow workers for waiting jobs while a batch is slow. Returns what to call at the beginning of each batch; that
 * call returns what to call at its end. `onError` receives failures to start or stop a worker.
 */
export function overflowWorkers(workers: WorkerControl, onError: (error: unknown) => void): () => () => void {
  let count = 0
  return () => {
    let worker: Promise<string> | null = null
    const timer = setTimeout(() => {
      if (count >= MAX_WORKERS) return
      count++
      worker = workers.start()
      worker.catch(onError)
    }, AFTER_MS)
    return () => {
      clearTimeout(timer)
      if (worker === null) return
      count--
      worker.then((id) => workers.stop(id)).catch(onError)
    }
  }
}
