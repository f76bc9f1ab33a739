import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BadRequest } from '../lib/errors.ts'
import { parseJsonParams, parsePairs, parseQuery, parseUrlencoded, queryError } from './rails-params.ts'

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const parsed = (text: string): unknown => plain(parseUrlencoded(text))
const json = (text: string): unknown => plain(parseJsonParams(Buffer.from(text)))

test('scalars, arrays and nested names are read as in Rack', () => {
  assert.deepEqual(parsed('a=1&b=x+y%26&b=last&c'), { a: '1', b: 'last', c: '' })
  assert.deepEqual(parsed('id[]=1&id[]=2&poll[options][]=a&poll[options][]=b&source[privacy]=x'), {
    id: ['1', '2'],
    poll: { options: ['a', 'b'] },
    source: { privacy: 'x' },
  })
  assert.deepEqual(parsed('fields_attributes[0][name]=n&fields_attributes[0][value]=v&fields_attributes[1][name]=m'), {
    fields_attributes: { 0: { name: 'n', value: 'v' }, 1: { name: 'm' } },
  })
  assert.deepEqual(parsed('id%5B%5D=1&a%5Bb%5D%5Bc%5D=%C3%A9'), { id: ['1'], a: { b: { c: 'é' } } })
})

test('a repeated key begins a new array element', () => {
  assert.deepEqual(parsed('k[][keyword]=a&k[][whole_word]=true&k[][keyword]=b&k[][x][y]=1&k[][x][y]=2'), {
    k: [{ keyword: 'a', whole_word: 'true' }, { keyword: 'b', x: { y: '1' } }, { x: { y: '2' } }],
  })
})

test('a name with conflicting types is refused', () => {
  for (const text of ['a=1&a[]=2', 'a[]=1&a=2', 'a=1&a[b]=2', 'a[b]=1&a=2', 'a[b]=1&a[]=2', 'a[]=1&a[b]=2'])
    assert.throws(() => parseUrlencoded(text), BadRequest, text)
})

test('too many parameters and too deep nesting are refused', () => {
  assert.throws(() => parseUrlencoded('a=1&'.repeat(4097)), BadRequest)
  assert.throws(() => parseUrlencoded(`a${'[b]'.repeat(40)}=1`), BadRequest)
  assert.throws(() => json(`{"a":${'['.repeat(100)}${']'.repeat(100)}}`), BadRequest)
})

test('parameters cannot change the prototype', () => {
  parsePairs([
    ['__proto__[polluted]', 'x'],
    ['constructor[prototype][polluted]', 'x'],
    ['a[__proto__][polluted]', 'x'],
    ['b[][__proto__][polluted]', 'x'],
  ])
  json('{"__proto__":{"polluted":1},"a":{"constructor":{"prototype":{"polluted":1}}}}')
  assert.equal(({} as Record<string, unknown>).polluted, undefined)
  assert.deepEqual(parsed('__proto__=x&hasOwnProperty=y'), { hasOwnProperty: 'y' })
})

test('broken escapes, broken UTF-8 and NUL are refused', () => {
  for (const text of ['a=%zz', 'a=%', 'a=%ff', '%e0%a4=1', 'a=%00', 'a%00=1'])
    assert.throws(() => parseUrlencoded(text), BadRequest, text)
  for (const text of ['{"a":"\\u0000"}', '{"a":[{"b":"x\\u0000"}]}', '{"a\\u0000":1}', '{', '[1]', '"x"', '1'])
    assert.throws(() => json(text), BadRequest, text)
  assert.throws(() => parseJsonParams(Buffer.from([0x22, 0xff, 0x22])), BadRequest)
})

test('empty JSON gives no parameters, and large unquoted ids stay exact', () => {
  assert.deepEqual(json(''), {})
  assert.deepEqual(json('null'), {})
  assert.deepEqual(json('\ufeff{"id":109348684345114113,"f":1.5,"n":[12345678901234567890,-1]}'), {
    id: '109348684345114113',
    f: 1.5,
    n: ['12345678901234567890', -1],
  })
})

test('parseQuery never throws, and queryError returns the problem', () => {
  assert.equal(queryError(parseQuery('a=1')), undefined)
  assert.ok(queryError(parseQuery('a=%zz')) instanceof BadRequest)
  assert.deepEqual(plain(parseQuery(Buffer.from('q=é').toString('latin1'))), { q: 'é' })
  assert.ok(queryError(parseQuery('q=\xff')) instanceof BadRequest)
})
