import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemWith } from './requirements.ts'

const facts = {
  version: 18,
  encoding: 'UTF8',
  is_standby: false,
  is_read_only: false,
  folded: 'éi',
  has_schema: true,
  has_other_tables: false,
  may_create: true,
  trigrams: 'found',
  shares_sessions: false,
} as const

test('a database that cannot be used is named with its remedy', () => {
  assert.equal(problemWith(facts), null)
  assert.equal(problemWith({ ...facts, version: 15 }), null)
  assert.match(problemWith({ ...facts, version: 14 }) ?? '', /needs PostgreSQL 15 or newer.* PostgreSQL 14/)
  assert.match(problemWith({ ...facts, encoding: 'LATIN1' }) ?? '', /encoding LATIN1.*encoding 'UTF8' locale/)
  assert.match(problemWith({ ...facts, folded: 'Éi' }) ?? '', /locale C,.*encoding 'UTF8' locale/)
  assert.match(problemWith({ ...facts, folded: 'éı' }) ?? '', /capital of i.*encoding 'UTF8' locale/)
  assert.match(problemWith({ ...facts, is_standby: true }) ?? '', /standby/)
  assert.match(problemWith({ ...facts, is_read_only: true }) ?? '', /default_transaction_read_only/)
  assert.match(problemWith({ ...facts, has_schema: false }) ?? '', /search_path/)
  assert.match(problemWith({ ...facts, has_other_tables: true }) ?? '', /another program.*create database/)
  assert.match(problemWith({ ...facts, trigrams: 'elsewhere' }) ?? '', /pg_trgm set schema/)
  assert.match(problemWith({ ...facts, trigrams: 'missing' }) ?? '', /postgresql-contrib/)
  assert.match(problemWith({ ...facts, may_create: false }) ?? '', /may not create tables.*owner/)
  assert.match(problemWith({ ...facts, shares_sessions: true }) ?? '', /pooler.*pool_mode = session/)
})
