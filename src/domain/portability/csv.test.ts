import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCsv, writeCsv } from './csv.ts'

test('written rows are read back unchanged', () => {
  const rows = [
    ['a', 'b,c', 'say "hello"'],
    ['two\nlines', '', 'é ☃'],
    ['=1+1', '-x', "it's", '@ada'],
  ]
  assert.deepEqual(parseCsv(writeCsv(rows)), rows)
})

test('cells that begin like a formula are escaped', () => {
  for (const text of ['=HYPERLINK("x")', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])
    assert.match(writeCsv([[text]]), /^"?'/, JSON.stringify(text))
})

test('CSV variants are read, and an unclosed quote is an error', () => {
  assert.deepEqual(parseCsv('a,b\r\nc,d'), [
    ['a', 'b'],
    ['c', 'd'],
  ])
  assert.deepEqual(parseCsv('\n\na\n\n,\n'), [['a']])
  assert.deepEqual(parseCsv('a,\n'), [['a', '']])
  assert.deepEqual(parseCsv('a,'), [['a', '']])
  assert.deepEqual(parseCsv(' a , "b" \n'), [['a', '"b"']])
  assert.deepEqual(parseCsv('"a" x,b\n'), [['"a" x', 'b']])
  assert.deepEqual(parseCsv('""\n"x"'), [['x']])
  assert.deepEqual(parseCsv(''), [])
  assert.equal(parseCsv('"never ends\na,b\n'), null)
})
