/**
 * Does work once `delay` milliseconds have passed, such as after the last key. Returns the function that cancels it, also while it
 * runs: `signal` is aborted then.
 */
export function afterPause(delay: number, work: (signal: AbortSignal) => void): () => void {
  const controller = new AbortController()
  const timer = setTimeout(() => work(controller.signal), delay)
  return () => {
    clearTimeout(timer)
    controller.abort()
  }
}
