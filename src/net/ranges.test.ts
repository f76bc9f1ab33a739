import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainAddress, plainRange, rangeMatcher } from './ranges.ts'

test('addresses have one form', () => {
  const cases: Record<string, string | null> = {
    '192.0.2.1': '192.0.2.1',
    ' 192.0.2.1 ': '192.0.2.1',
    '::ffff:192.0.2.1': '192.0.2.1',
    '::FFFF:C000:0201': '192.0.2.1',
    '2001:DB8:0:0::1': '2001:db8::1',
    'fe80::1%eth0': 'fe80::1',
    '127.1': null,
    '0x7f.0.0.1': null,
    '192.0.2.1:80': null,
    unknown: null,
    '': null,
  }
  for (const [text, plain] of Object.entries(cases)) assert.equal(plainAddress(text), plain, text)
})

test('ranges lose their host bits, and mapped ones become IPv4', () => {
  const cases: Record<string, string | null> = {
    '192.0.2.77/24': '192.0.2.0/24',
    '192.0.2.77': '192.0.2.77/32',
    '0.0.0.0/0': '0.0.0.0/0',
    '2001:db8:1:2::3/64': '2001:db8:1:2::/64',
    '2001:db8::1': '2001:db8::1/128',
    '::ffff:192.0.2.77/120': '192.0.2.0/24',
    '::ffff:192.0.2.77/90': null,
    '192.0.2.1/33': null,
    '::1/129': null,
    '192.0.2.1/': null,
    '192.0.2.1/a': null,
    '192.0.2.1/24/8': null,
    'fe80::1%eth0/64': null,
  }
  for (const [text, plain] of Object.entries(cases)) assert.equal(plainRange(text), plain, text)
})

test('a matcher holds ranges of both families', () => {
  const matches = rangeMatcher(['192.0.2.0/24', '2001:db8::/32', '198.51.100.1/32'])
  const inside = ['192.0.2.255', '2001:db8:ffff::1', '198.51.100.1']
  const outside = ['192.0.3.0', '2001:db9::', '198.51.100.2', '::']
  for (const address of inside) assert.equal(matches(address), true, address)
  for (const address of outside) assert.equal(matches(address), false, address)
})
