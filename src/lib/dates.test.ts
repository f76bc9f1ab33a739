import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseInstant } from './dates.ts'

test('ISO 8601 instants are parsed', () => {
  for (const [text, instant] of [
    ['2030-01-02T03:04:05.678Z', '2030-01-02T03:04:05.678Z'],
    ['2030-01-02t03:04:05z', '2030-01-02T03:04:05.000Z'],
    [' 2030-01-02 03:04 UTC ', '2030-01-02T03:04:00.000Z'],
    ['2030-01-02T03:04:05+02:30', '2030-01-02T00:34:05.000Z'],
    ['2030-01-02T03:04:05-0200', '2030-01-02T05:04:05.000Z'],
    ['2030-01-02T03:04:05+02', '2030-01-02T01:04:05.000Z'],
    ['2030-01-02T03:04:05.123456789Z', '2030-01-02T03:04:05.123Z'],
    ['2030-01-02', '2030-01-02T00:00:00.000Z'],
    ['2028-02-29T12:00:00Z', '2028-02-29T12:00:00.000Z'],
  ] as const)
    assert.equal(parseInstant(text)?.toISOString(), instant, text)
})

test('other text is not an instant', () => {
  for (const text of [
    '',
    'now',
    'tomorrow',
    '12345',
    '2030',
    '2030-1-2',
    '2030-13-01',
    '2030-02-30',
    '2030-01-02T25:00Z',
    '2030-01-02T03:04+99:99',
    '+012345-01-01',
    '0000-01-01',
    '9999-12-31T23:59-14:00',
    '1969-12-31',
    `2030-01-02${' '.repeat(99)}x`,
  ])
    assert.equal(parseInstant(text), null, text)
})
