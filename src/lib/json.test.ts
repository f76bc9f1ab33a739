import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  arrayPieces,
  extendJson,
  isPieces,
  jsonArray,
  jsonObject,
  objectPieces,
  toCacheableJson,
  toJson,
  type JsonText,
} from './json.ts'

const parse = (text: JsonText): unknown => JSON.parse(text.toString())

test('an object contains plain members and JSON text, and omits undefined ones', () => {
  const account = toJson({ acct: 'ada "é" 😀' })
  const written = jsonObject({ id: '1', account, count: 2, none: null, absent: undefined, list: [] as string[] })
  assert.deepEqual(parse(written), { id: '1', account: { acct: 'ada "é" 😀' }, count: 2, none: null, list: [] })
  assert.equal(jsonObject({}).toString(), '{}')
  assert.equal(jsonObject({ absent: undefined }).toString(), '{}')
})

test('members are appended to those of a cached object', () => {
  const base = toCacheableJson({ id: '1', text: 'ü' })
  assert.deepEqual(parse(extendJson(base, { a: true, inner: toJson([1]), b: 'x' })), {
    id: '1',
    text: 'ü',
    a: true,
    inner: [1],
    b: 'x',
  })
  assert.deepEqual(parse(extendJson(base, {})), { id: '1', text: 'ü' })
  assert.deepEqual(parse(extendJson(toJson({}), { a: 1 })), { a: 1 })
  assert.deepEqual(parse(extendJson(toJson({}), {})), {})
  assert.deepEqual(parse(base), { id: '1', text: 'ü' })
})

test('an array contains JSON text', () => {
  assert.deepEqual(parse(jsonArray<unknown>([toJson(1), toJson('é')])), [1, 'é'])
  assert.equal(jsonArray([]).toString(), '[]')
})

test('pieces contain text and pieces, and together are one document', () => {
  const list = arrayPieces<unknown>([toJson(1), arrayPieces([]), objectPieces({ a: 'é', none: undefined })])
  const whole = objectPieces<unknown>({ list, count: 1, text: toJson('ü'), empty: objectPieces({}), last: list })
  assert.ok([list, whole].every(isPieces))
  assert.ok(![[], ['a'], toJson([])].some(isPieces))
  const items = [1, [], { a: 'é' }]
  assert.deepEqual(parse(Buffer.concat(whole)), { list: items, count: 1, text: 'ü', empty: {}, last: items })
})
