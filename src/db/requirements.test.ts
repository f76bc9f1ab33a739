import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemWith } from './requirements.ts'

const facts = {
  version: 18,
  encoding: 'UTF8',
  is_standby: false,
  folds_case: true,
  may_create: true,
  shares_sessions: false,
}

test('a database that cannot be used is named with its remedy', () => {
  assert.equal(problemWith(facts), null)
  assert.equal(problemWith({ ...facts, version: 15 }), null)
  assert.match(problemWith({ ...facts, version: 14 }) ?? '', /needs PostgreSQL 15 or newer.* PostgreSQL 14/)
  assert.match(problemWith({ ...facts, encoding: 'LATIN1' }) ?? '', /encoding LATIN1.*encoding 'UTF8' locale/)
  assert.match(problemWith({ ...facts, folds_case: false }) ?? '', /locale C,.*encoding 'UTF8' locale/)
  assert.match(problemWith({ ...facts, is_standby: true }) ?? '', /standby/)
  assert.match(problemWith({ ...facts, may_create: false }) ?? '', /may not create tables.*owner/)
  assert.match(problemWith({ ...facts, shares_sessions: true }) ?? '', /pooler.*pool_mode = session/)
})
