export type CircuitBreaker = {
  isUnavailable(): boolean
  /** Until it is available again; 0 if it is. */
  msLeft(): number
  /** Unavailable for at least this time. */
  pause(ms: number): void
  recordFailure(): void
  recordSuccess(): void
}

/** Unavailable for `pauseMs` after so many failures in a row, and then again at the next failure. */
export function createCircuitBreaker({ failures, pauseMs }: { failures: number; pauseMs: number }): CircuitBreaker {
  let [failed, until] = [0, 0]
  const msLeft = (): number => Math.max(0, until - performance.now())
  const pause = (ms: number): void => {
    until = Math.max(until, performance.now() + ms)
  }
  return {
    isUnavailable: () => msLeft() > 0,
    msLeft,
    pause,
    recordFailure() {
      if (++failed >= failures) pause(pauseMs)
    },
    recordSuccess() {
      failed = 0
    },
  }
}
