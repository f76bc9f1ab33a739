import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lruCache } from './lru-cache.ts'

test('a cache drops what was not used for longest', () => {
  const cache = lruCache<string, number>({ max: 2 })
  cache.set('a', 1)
  cache.set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => cache.get(key)),
    [1, undefined, 3],
  )
})

test('an empty cache takes no memory for the entries that it may have', () => {
  const before = process.memoryUsage().arrayBuffers
  const cache = lruCache<string, true>({ max: 1_000_000, ttl: 60_000 })
  assert.ok(process.memoryUsage().arrayBuffers - before < 1_000_000)
  assert.equal(cache.size, 0)
})
