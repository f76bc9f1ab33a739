import assert from 'node:assert/strict'
import { test } from 'node:test'
import { qrCode } from './qr-code.ts'

/** A finder pattern, as the standard draws it. */
const FINDER = ['#######', '#     #', '# ### #', '# ### #', '# ### #', '#     #', '#######']

test('a code has three finder patterns, and room around it', () => {
  const { size, path } = qrCode('https://example.org/@ada')
  const dark = new Set([...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x} ${y}`))
  const rowsAt = (left: number, top: number) =>
    FINDER.map((row, y) => [...row].map((_, x) => (dark.has(`${left + x} ${top + y}`) ? '#' : ' ')).join(''))
  const far = size - 4 - 7
  for (const [left, top] of [
    [4, 4],
    [far, 4],
    [4, far],
  ] as const)
    assert.deepEqual(rowsAt(left, top), FINDER)
  assert.notDeepEqual(rowsAt(far, far), FINDER)
  const places = [...dark].flatMap((each) => each.split(' ').map(Number))
  assert.deepEqual([Math.min(...places), Math.max(...places)], [4, size - 5])
  assert.throws(() => qrCode('x'.repeat(5000)))
})
