/** A map that holds the entries that were used last. Components hold what they show, so the others may leave. */
export class RecentMap<V> {
  readonly #entries = new Map<string, V>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  get(key: string): V | undefined {
    const found = this.#entries.get(key)
    if (found === undefined) return undefined
    // Maps are in the order of insertion.
    this.#entries.delete(key)
    this.#entries.set(key, found)
    return found
  }

  set(key: string, value: V): V {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.#limit)
      for (const oldest of [...this.#entries.keys()].slice(0, Math.ceil(this.#limit / 10))) this.#entries.delete(oldest)
    return value
  }

  /** The entry of a key; made and added when there is none. */
  getOr(key: string, make: () => V): V {
    return this.get(key) ?? this.set(key, make())
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  entries(): MapIterator<[string, V]> {
    return this.#entries.entries()
  }

  values(): MapIterator<V> {
    return this.#entries.values()
  }
}
