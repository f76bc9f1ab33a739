export type CircuitBreaker = { isUnavailable(): boolean; recordFailure(): void; recordSuccess(): void }

/** Unavailable for `pauseMs` after so many failures in a row, and then again at the next failure. */
export function createCircuitBreaker({ failures, pauseMs }: { failures: number; pauseMs: number }): CircuitBreaker {
  let [failed, until] = [0, 0]
  return {
    isUnavailable: () => performance.now() < until,
    recordFailure() {
      if (++failed >= failures) until = performance.now() + pauseMs
    },
    recordSuccess() {
      failed = 0
    },
  }
}
