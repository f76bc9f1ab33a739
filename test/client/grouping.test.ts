import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Status } from '../../client/src/api/entities.ts'
import { rowsWithRuns, type Layout } from '../../client/src/timelines/boost-runs.ts'
import { groupStatuses, withGaps, withoutStatus } from '../../client/src/timelines/grouping.ts'

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

test('gaps stand where statuses are missing, also below a status that joined another item', () => {
  const items = groupStatuses([status('9'), status('7'), status('3'), status('2')])
  const ids = withGaps(items, ['8', '3']).map((item) => (item.kind === 'gap' ? `-${item.olderThan}` : item.id))
  assert.deepEqual(ids, ['9', '-8', '7', '3', '-3', '2'])
  assert.equal(withGaps(items, ['1']).length, items.length)
})

test('an item stays as long as another account boosted the status, and leaves with the status itself', () => {
  const boost = { reblog: status('1') as Status['reblog'] }
  const [item] = groupStatuses([status('4', boost), status('3', boost)])
  assert.ok(item)
  const [left] = withoutStatus(item, '4')
  assert.deepEqual(left, { ...item, boosts: ['3'] })
  assert.deepEqual(left && withoutStatus(left, '3'), [])
  assert.deepEqual(withoutStatus(item, '1'), [])
})

test('boosts in a row become one run, which older ones join, and an item that was shown alone stays alone', () => {
  const boost = (id: string) => status(id, { reblog: status(`1${id}`) as Status['reblog'] })
  const layout: Layout = new Map()
  const rowsOf = (statuses: Status[]) =>
    rowsWithRuns(groupStatuses(statuses), layout).map((row) =>
      row.kind === 'boosts' ? row.items.map(({ id }) => id).join('+') : row.kind === 'status' ? row.id : '-',
    )
  const first = [boost('9'), boost('8'), boost('7'), status('6'), boost('5'), boost('4')]
  assert.deepEqual(rowsOf(first), ['9+8+7', '6', '5', '4'])
  assert.deepEqual(rowsOf([...first, boost('3'), boost('2')]), ['9+8+7', '6', '5', '4', '3', '2'])
  layout.clear()
  assert.deepEqual(rowsOf(first.slice(0, 3)), ['9+8+7'])
  assert.deepEqual(rowsOf([status('99'), ...first.slice(0, 3), boost('6'), boost('5')]), ['99', '9+8+7+6+5'])
  const many = Array.from({ length: 14 }, (_, index) => boost(String(60 - index)))
  layout.clear()
  assert.deepEqual(
    rowsOf(many).map((run) => run.split('+').length),
    [7, 7],
  )
})
