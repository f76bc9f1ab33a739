// Values from the API that outlive their component: what was loaded before shows at once, and is loaded again.
import { signal, type Signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { Loaded } from './loaded.ts'

type Cached<T> = { value: T | undefined; error: unknown }

const LIMIT = 300

const cached = new Map<string, Signal<Cached<unknown>>>()

function cachedOf<T>(key: string): Signal<Cached<T>> {
  let found = cached.get(key)
  if (!found) {
    if (cached.size >= LIMIT) for (const old of [...cached.keys()].slice(0, LIMIT / 10)) cached.delete(old)
    cached.set(key, (found = signal<Cached<unknown>>({ value: undefined, error: undefined })))
  }
  return found as Signal<Cached<T>>
}

async function loadInto<T>(target: Signal<Cached<T>>, load: () => Promise<T>): Promise<void> {
  try {
    target.value = { value: await load(), error: undefined }
  } catch (error) {
    target.value = { value: target.value.value, error }
  }
}

/** `key` names it among all; `set` shows a change before the server has it. */
export function useCached<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const target = useMemo(() => cachedOf<T>(key), [key])
  useEffect(() => void loadInto(target, load), [target])
  return {
    ...target.value,
    set: (value) => (target.value = { value, error: undefined }),
    reload: () => loadInto(target, load),
  }
}
