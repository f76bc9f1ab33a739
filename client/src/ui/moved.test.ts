import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moved } from './moved.ts'

test('an item of a list moves, and stays at the ends', () => {
  assert.deepEqual(moved(['a', 'b', 'c'], 0, 2), ['b', 'c', 'a'])
  assert.deepEqual(moved(['a', 'b', 'c'], 2, 1), ['a', 'c', 'b'])
  assert.deepEqual(moved(['a', 'b'], 0, -1), ['a', 'b'])
  assert.deepEqual(moved(['a', 'b'], 1, 2), ['a', 'b'])
})
