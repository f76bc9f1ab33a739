// Values from the API that outlive their component: what was loaded before shows at once, and is loaded again.
import { signal, type Signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'

type Loaded<T> = { data: T | null; error: unknown }

const LIMIT = 300

const loaded = new Map<string, Signal<Loaded<unknown>>>()

function loadedOf<T>(key: string): Signal<Loaded<T>> {
  let found = loaded.get(key)
  if (!found) {
    if (loaded.size >= LIMIT) for (const old of [...loaded.keys()].slice(0, LIMIT / 10)) loaded.delete(old)
    loaded.set(key, (found = signal<Loaded<unknown>>({ data: null, error: null })))
  }
  return found as Signal<Loaded<T>>
}

async function loadInto<T>(target: Signal<Loaded<T>>, load: () => Promise<T>): Promise<void> {
  try {
    target.value = { data: await load(), error: null }
  } catch (error) {
    target.value = { data: target.value.data, error }
  }
}

/** `key` names it among all; `change` shows a change before the server has it. */
export function useCached<T>(
  key: string,
  load: () => Promise<T>,
): Loaded<T> & { reload: () => Promise<void>; change: (data: T) => void } {
  const target = useMemo(() => loadedOf<T>(key), [key])
  useEffect(() => void loadInto(target, load), [target])
  return {
    ...target.value,
    reload: () => loadInto(target, load),
    change: (data) => (target.value = { data, error: null }),
  }
}
