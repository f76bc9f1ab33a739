// One value from the API for a component.
import { useCallback, useEffect, useState } from 'preact/hooks'

export type Loaded<T> = {
  value: T | undefined
  error: unknown
  /** Replaces the value by what an act returned. */
  set: (value: T) => void
  reload: () => void
}

/** Loads when the component appears and when one of `inputs` changes. The value of other inputs is never shown. */
export function useLoaded<T>(load: () => Promise<T>, inputs: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<{ value?: T; error?: unknown }>({})
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isCurrent = true
    setState((before) => (attempt === 0 ? {} : before))
    load().then(
      (value) => isCurrent && setState({ value }),
      (error: unknown) => isCurrent && setState({ error }),
    )
    return () => {
      isCurrent = false
    }
  }, [...inputs, attempt])
  const set = useCallback((value: T) => setState({ value }), [])
  const reload = useCallback(() => setAttempt((count) => count + 1), [])
  return { value: state.value, error: state.error, set, reload }
}
