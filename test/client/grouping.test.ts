import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Status } from '../../client/src/api/entities.ts'
import { groupStatuses } from '../../client/src/timelines/grouping.ts'

const status = (id: string, more: Partial<Status> = {}): Status =>
  ({ id, account: { id: 'a' }, reblog: null, in_reply_to_id: null, in_reply_to_account_id: null, ...more }) as Status

test('boosts of a status join the item that is there, so that nothing moves', () => {
  const target = status('1')
  const items = groupStatuses([status('3', { reblog: target as Status['reblog'] }), status('2')])
  const more = groupStatuses([status('4', { reblog: target as Status['reblog'] }), status('5')], items)
  assert.deepEqual(
    more.map(({ id }) => id),
    ['5'],
  )
  assert.deepEqual(
    items.map(({ id, boosts }) => [id, boosts]),
    [
      ['3', ['3', '4']],
      ['2', []],
    ],
  )
})

test('replies of an author to their own post follow it, under the key of the newest', () => {
  const reply = { in_reply_to_account_id: 'a' }
  const items = groupStatuses([
    status('5', { ...reply, in_reply_to_id: '3' }),
    status('4'),
    status('3', { ...reply, in_reply_to_id: '1' }),
    status('2', { in_reply_to_account_id: 'b', in_reply_to_id: '1' }),
    status('1'),
  ])
  assert.deepEqual(
    items.map(({ id, shown, thread }) => [id, shown, thread]),
    [
      ['5', '1', ['3', '5']],
      ['4', '4', []],
      ['2', '2', []],
    ],
  )
})
