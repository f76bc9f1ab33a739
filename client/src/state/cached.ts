// Values from the API that outlive their component: a value that was loaded before shows at once, and is loaded again.
import { signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { Loaded } from './loaded.ts'
import { RecentMap } from './recent-map.ts'

class Cached<T> {
  readonly state = signal<{ value: T | undefined; error: unknown }>({ value: undefined, error: undefined })
  /** Grows with each request: the answer to an earlier one is dropped. */
  #version = 0

  async load(request: () => Promise<T>): Promise<void> {
    const version = (this.#version += 1)
    this.state.value = { value: this.state.peek().value, error: undefined }
    try {
      const value = await request()
      if (this.#version === version) this.set(value)
    } catch (error) {
      if (this.#version === version) this.state.value = { value: this.state.value.value, error }
    }
  }

  set(value: T): void {
    this.#version += 1
    this.state.value = { value, error: undefined }
  }
}

const cached = new RecentMap<Cached<unknown>>(300)

/** After an act elsewhere. Does nothing while the value is not loaded. */
export function changeCached<T>(key: string, change: (value: T) => T): void {
  const target = cached.get(key) as Cached<T> | undefined
  const value = target?.state.peek().value
  if (target && value !== undefined) target.set(change(value))
}

/** `key` identifies the value among all cached values. */
export function useCached<T>(key: string, request: () => Promise<T>): Loaded<T> {
  const target = useMemo(() => cached.getOr(key, () => new Cached()) as Cached<T>, [key])
  useEffect(() => void target.load(request), [target])
  return {
    ...target.state.value,
    set: (value) => target.set(value),
    change: (change) => {
      const { value } = target.state.peek()
      if (value !== undefined) target.set(change(value))
    },
    reload: () => void target.load(request),
  }
}
