// One value from the API for a component.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

export type Loaded<T> = {
  value: T | undefined
  error: unknown
  /** Replaces the value by what an act returned. */
  set: (value: T) => void
  /** Changes the value as it is by then. */
  change: (change: (value: T) => T) => void
  reload: () => void
}

/** `inputs`: for which the value was loaded. */
type State<T> = { value?: T; error?: unknown; inputs: string }

/** Loads when the component appears and when one of `inputs` changes. The value of other inputs is never shown. */
export function useLoaded<T>(load: () => Promise<T>, inputs: readonly unknown[]): Loaded<T> {
  const current = JSON.stringify(inputs)
  const [state, setState] = useState<State<T>>({ inputs: current })
  const [attempt, setAttempt] = useState(0)
  /** Grows with each request: the answer to an earlier one is dropped. */
  const version = useRef(0)
  useEffect(() => {
    const loading = (version.current += 1)
    const store = (loaded: Omit<State<T>, 'inputs'>) => {
      if (version.current === loading) setState({ ...loaded, inputs: current })
    }
    load().then(
      (value) => store({ value }),
      (error: unknown) => store({ error }),
    )
    return () => void (version.current += 1)
  }, [current, attempt])
  const set = useCallback(
    (value: T) => {
      version.current += 1
      setState({ value, inputs: current })
    },
    [current],
  )
  const { value, error } = state.inputs === current ? state : {}
  const isLoaded = useRef(false)
  isLoaded.current = value !== undefined
  const change = useCallback((work: (value: T) => T) => {
    if (!isLoaded.current) return
    version.current += 1
    setState((now) => (now.value === undefined ? now : { ...now, value: work(now.value) }))
  }, [])
  const reload = useCallback(() => {
    setState(({ error: _error, ...now }) => now)
    setAttempt((count) => count + 1)
  }, [])
  return { value, error, set, change, reload }
}
