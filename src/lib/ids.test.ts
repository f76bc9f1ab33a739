import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { compareIds, newId, timeOfId } from './ids.ts'

test('ids increase when the clock is put back a little, and follow it after a large correction', () => {
  // Nothing is awaited: no other test sees this clock.
  const now = Date.now()
  mock.timers.enable({ apis: ['Date'], now: now + 86_400_000 })
  const ahead = newId()
  mock.timers.setTime(now + 86_400_000 - 5000)
  const corrected = newId()
  mock.timers.setTime(now)
  const back = newId()
  const next = newId()
  mock.timers.reset()
  assert.ok(compareIds(ahead, corrected) < 0)
  assert.equal(timeOfId(back).getTime(), now)
  assert.ok(compareIds(back, next) < 0)
})
