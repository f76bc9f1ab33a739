import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batched } from './batch.ts'

test('calls that arrive while a batch is on its way share the next ones', async () => {
  const batches: number[][] = []
  const double = batched(async (inputs: number[]) => {
    batches.push(inputs)
    await new Promise(setImmediate)
    return inputs.map((input) => input * 2)
  }, 3)
  const first = double(1)
  await new Promise(setImmediate)
  assert.deepEqual(await Promise.all([first, ...[2, 3, 4, 5].map(double)]), [2, 4, 6, 8, 10])
  assert.deepEqual(batches, [[1], [2, 3, 4], [5]])
  assert.equal(await double(6), 12)
})

test('a call that fails does not fail the others', async () => {
  const parse = batched(async (inputs: string[]) => inputs.map((input) => JSON.parse(input) as unknown), 10)
  const outcomes = await Promise.allSettled(['1', '{', '2'].map(parse))
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed')),
    [1, 'failed', 2],
  )
})
