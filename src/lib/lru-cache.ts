import { LRUCache } from 'lru-cache'

export type CacheLimits<V> = { max: number } | { maxSize: number; sizeCalculation: (value: V) => number }
type Options<V> = CacheLimits<V> & { ttl?: number; noUpdateTTL?: boolean; dispose?: (value: V) => void }

/**
 * The most recently used values by key: at most `max`, or `maxSize` in all. `ttl` is in milliseconds. The library's own `max`
 * would allocate memory for all entries at once; a limit on sizes, of 1 each, lets a cache grow with those that it has.
 */
export function lruCache<K extends string | number, V extends {}>(options: Options<V>): LRUCache<K, V> {
  if (!('max' in options)) return new LRUCache<K, V>(options)
  const { max, ...others } = options
  return new LRUCache<K, V>({ ...others, maxSize: max, sizeCalculation: () => 1 })
}
