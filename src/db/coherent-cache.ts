import type { LRUCache } from 'lru-cache'
import { type CacheLimits, lruCache } from '../lib/lru-cache.ts'
import type { ChangeKind, ChangeLog } from './changes.ts'

/** A read on its way, or about to start. `changed`: ids that became known as changed meanwhile; `allChanged`: all of them. */
type Load<V> = { ids: Set<string>; changed: Set<string>; allChanged: boolean; values: Promise<Map<string, V>> }

/** Ids that one statement reads at most. */
const MAX_BATCH = 1000

/** Values that caches handed out and that may have changed since. */
const stale = new WeakSet()

/** Whether `value`, which came from a CoherentCache, is current: then everything that was computed from it is, too. */
export const isCurrent = (value: object): boolean => !stale.has(value)

/** For values that are not from a cache: nothing that is made of them can be cached. */
export function neverCurrent<V extends object>(value: V): V {
  stale.add(value)
  return value
}

/** Values by id that stay valid until the change log names them. Each value is an object of its own (`isCurrent`). */
export class CoherentCache<V extends object> {
  readonly #cache: LRUCache<string, V>
  readonly #loads = new Set<Load<V>>()
  /** Misses of this turn of the event loop, which share a read. */
  #gathering: Load<V> | null = null

  /** `keysOf` turns the ids of a change into keys, where they are not the same. */
  constructor(changes: ChangeLog, kinds: readonly ChangeKind[], options: CacheOptions<V>) {
    const { keysOf = (ids) => ids, ...limits } = options
    this.#cache = lruCache<string, V>({ ...limits, dispose: neverCurrent })
    // Any value may contain a setting or a custom emoji.
    for (const kind of kinds)
      changes.on(kind, (ids) => (ids === null || kind === 'setting' ? this.#dropAll() : this.#drop(keysOf(ids))))
  }

  get(id: string): V | undefined {
    return this.#cache.get(id)
  }

  delete(id: string): void {
    this.#cache.delete(id)
  }

  /**
   * The values of `ids`; unknown ids are left out. Reads those that are not cached with one call of `read`, which also serves
   * other calls of the same turn of the event loop. Inside a transaction it reads all of them and caches none.
   */
  async load(
    ctx: { isTransaction: boolean },
    ids: Iterable<string>,
    read: (missing: string[]) => Promise<Iterable<[string, V]>>,
  ): Promise<Map<string, V>> {
    const found = new Map<string, V>()
    const absent = new Set<string>()
    for (const id of ids) {
      if (found.has(id)) continue
      const value = ctx.isTransaction ? undefined : this.#cache.get(id)
      if (value) found.set(id, value)
      else absent.add(id)
    }
    if (absent.size === 0) return found
    if (ctx.isTransaction) {
      const values = new Map(await read([...absent]))
      for (const value of values.values()) neverCurrent(value)
      return values
    }
    const values = await this.#gather(absent, read).values
    for (const id of absent) {
      const value = values.get(id)
      if (value) found.set(id, value)
    }
    return found
  }

  #gather(ids: ReadonlySet<string>, read: (missing: string[]) => Promise<Iterable<[string, V]>>): Load<V> {
    let load = this.#gathering
    if (load && load.ids.size + ids.size <= MAX_BATCH) {
      for (const id of ids) load.ids.add(id)
      return load
    }
    const started: Omit<Load<V>, 'values'> = { ids: new Set(ids), changed: new Set(), allChanged: false }
    load = Object.assign(started, { values: this.#read(started, read) })
    this.#gathering = load
    this.#loads.add(load)
    return load
  }

  async #read(
    load: Omit<Load<V>, 'values'>,
    read: (missing: string[]) => Promise<Iterable<[string, V]>>,
  ): Promise<Map<string, V>> {
    await new Promise(setImmediate)
    if (this.#gathering === load) this.#gathering = null
    try {
      const values = new Map(await read([...load.ids]))
      // A change that became known meanwhile may be newer than what was read.
      for (const [id, value] of values)
        if (load.allChanged || load.changed.has(id)) neverCurrent(value)
        else this.#cache.set(id, value)
      return values
    } finally {
      this.#loads.delete(load as Load<V>)
    }
  }

  #dropAll(): void {
    this.#cache.clear()
    for (const load of this.#loads) load.allChanged = true
  }

  #drop(ids: readonly string[]): void {
    for (const id of ids) {
      this.#cache.delete(id)
      for (const load of this.#loads) load.changed.add(id)
    }
  }
}

type CacheOptions<V> = CacheLimits<V> & { keysOf?: (ids: readonly string[]) => readonly string[] }
