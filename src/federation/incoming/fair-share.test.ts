import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Context } from '../../context.ts'
import { nextPriority } from './fair-share.ts'

test('a host that sends very many activities waits for the others', () => {
  const ctx = { server: {} } as Context
  const flood = Array.from({ length: 1000 }, () => nextPriority(ctx, 'flood.example'))
  const other = nextPriority(ctx, 'other.example')
  assert.ok(flood.filter((priority) => priority < other).length > 900, 'after those of another host')
  assert.deepEqual(
    flood,
    flood.toSorted((a, b) => b - a),
    'in their own order',
  )
  assert.ok(new Set(flood).size < 100, 'in few jobs')
  assert.ok(nextPriority(ctx, 'new.flood.example') < other, 'from other hosts of the same site, too')
  const second = Array.from({ length: 1000 }, () => nextPriority(ctx, 'second.example'))
  const long = Array.from({ length: 100 }, () => nextPriority(ctx, 'long.example', 1_000_000))
  assert.ok((long.at(-1) as number) < (flood.at(-1) as number), 'a few long ones count as many')
  assert.ok(Math.abs((second.at(-1) as number) - (flood.at(-1) as number)) <= 1, 'two such hosts take turns')
})
