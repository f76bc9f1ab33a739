import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type, { type TSchema } from 'typebox'
import { AppError } from '../lib/errors.ts'
import { coerce } from './coerce.ts'
import { UploadedFile } from './multipart.ts'
import { IdParam, makeParser, NOT_BLANK, Upload } from './params.ts'

const Optional = Type.Optional
const parse = (properties: Record<string, TSchema>, input: unknown): unknown =>
  makeParser(Type.Object(properties))(input)
const refused = (properties: Record<string, TSchema>, input: unknown, status: number, message: string): void =>
  assert.throws(
    () => parse(properties, input),
    (error) =>
      (error instanceof AppError && error.status === status && error.message === message) || assert.fail(String(error)),
  )

test('booleans are read as in Rails', () => {
  for (const no of ['false', 'FALSE', '0', 'f', 'F', 'off', 'OFF', false, 0])
    assert.equal(coerce(Type.Boolean(), no), false, String(no))
  for (const yes of ['true', '1', 't', 'on', 'anything', true, 1])
    assert.equal(coerce(Type.Boolean(), yes), true, String(yes))
  for (const unset of ['', null, undefined]) assert.equal(coerce(Type.Boolean(), unset), undefined)
  assert.deepEqual(parse({ a: Optional(Type.Boolean({ default: true })), b: Optional(Type.Boolean()) }, { a: '' }), {
    a: true,
  })
})

test('numbers are read from text; invalid ones are refused, or replaced by the default if lenient', () => {
  const limit = Type.Integer({ minimum: 1, maximum: 40, default: 20, lenient: true })
  assert.deepEqual(
    ['7', 7, '', 'abc', null, '1000', '-3', '7.9', {}, [], true].map(
      (value) => (parse({ limit: Optional(limit) }, { limit: value }) as { limit: number }).limit,
    ),
    [7, 7, 20, 20, 20, 40, 1, 7, 20, 20, 20],
  )
  assert.deepEqual(parse({ a: Optional(Type.Integer()), b: Optional(Type.Number()) }, { a: ' 12 ', b: '-.5' }), {
    a: 12,
    b: -0.5,
  })
  for (const value of [86400.9, '86400.9'])
    assert.deepEqual(parse({ a: Type.Integer() }, { a: value }), { a: 86400 }, 'a fraction is cut off')
  for (const value of ['x', '1.', '.5', '1.5.2', '0x10', '99999999999', 99999999999, '1e3', [1], true])
    refused({ poll_size: Type.Integer() }, { poll_size: value }, 422, 'Validation failed: Poll size is not a number')
  for (const value of ['1e999', 'NaN', 'Infinity'])
    refused({ a: Type.Number() }, { a: value }, 422, 'Validation failed: A is not a number')
  assert.deepEqual(parse({ at: Type.Integer({ maximum: Number.MAX_SAFE_INTEGER }) }, { at: '99999999999' }), {
    at: 99999999999,
  })
})

test('scalars become text, lone surrogates are replaced, and NUL is refused', () => {
  assert.deepEqual(parse({ a: Type.String(), b: Type.String() }, { a: 1, b: true }), { a: '1', b: 'true' })
  assert.deepEqual(parse({ a: Type.String() }, { a: 'x\ud800y' }), { a: 'x\ufffdy' })
  assert.deepEqual(parse({ note: Optional(Type.String()) }, { note: '' }), { note: '' })
  refused({ a: Type.String() }, { a: 'x\0' }, 400, 'Parameters must not contain NUL characters')
  refused({ a: Type.String() }, { a: ['x'] }, 422, 'Validation failed: A is invalid')
})

test('lists are read from arrays, numbered objects or scalars, without empty entries', () => {
  const schema = { id: Optional(Type.Array(Type.String())) }
  for (const value of [['1', '2'], [1, null, 2], { 1: '2', 0: '1' }])
    assert.deepEqual(parse(schema, { id: value }), { id: ['1', '2'] })
  assert.deepEqual(parse(schema, { id: '1' }), { id: ['1'] })
  for (const nothing of ['', null, 'undefined', 'null']) assert.deepEqual(parse(schema, { id: nothing }), {})
  for (const empty of [[], {}]) assert.deepEqual(parse(schema, { id: empty }), { id: [] })
  assert.deepEqual(parse({ ids: Type.Array(IdParam) }, { ids: [''] }), { ids: [] })
  const fields = Optional(Type.Array(Type.Object({ name: Optional(Type.String()), bold: Optional(Type.Boolean()) })))
  assert.deepEqual(parse({ fields }, { fields: { 10: { name: 'c' }, 2: { name: 'b', bold: '0', more: 1 } } }), {
    fields: [{ name: 'b', bold: false }, { name: 'c' }],
  })
  assert.deepEqual(parse({ fields }, { fields: { name: 'only' } }), { fields: [{ name: 'only' }] })
  for (const scalar of ['', 'undefined', 'x', 5, true, ['x', 5], ['', 'x']])
    assert.deepEqual(parse({ fields }, { fields: scalar }), {}, JSON.stringify(scalar))
  assert.deepEqual(parse({ fields }, { fields: ['x', { name: 'a' }] }), { fields: [{ name: 'a' }] })
  for (const empty of [[], ['']]) assert.deepEqual(parse({ fields }, { fields: empty }), { fields: [] })
})

test('ids outside of int8 become ids that do not exist', () => {
  const ids = [
    '1',
    109348684345114113n.toString(),
    '9223372036854775807',
    '9223372036854775808',
    '99999999999999999999',
    'abc',
    '-1',
    '1.5',
    7,
  ]
  assert.deepEqual(
    ids.map((id) => (parse({ id: IdParam }, { id }) as { id: string }).id),
    [
      '1',
      '109348684345114113',
      '9223372036854775807',
      '9223372036854775807',
      '9223372036854775807',
      '0',
      '0',
      '0',
      '7',
    ],
  )
  assert.deepEqual(parse({ in_reply_to_id: Optional(IdParam) }, { in_reply_to_id: '' }), {})
})

test('enumerations and unions accept their members only', () => {
  const visibility = Optional(Type.Union([Type.Literal('public'), Type.Literal('private')]))
  assert.deepEqual(parse({ visibility }, { visibility: '' }), {})
  refused({ visibility }, { visibility: 'x' }, 422, 'Validation failed: Visibility is not included in the list')
  refused({ order: Type.Enum(['a', 'b']) }, { order: 'c' }, 422, 'Validation failed: Order is not included in the list')
  const expiry = Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]))
  assert.deepEqual(
    ['', null, '5'].map((value) => (parse({ expiry }, { expiry: value }) as { expiry: unknown }).expiry),
    [null, null, 5],
  )
  assert.deepEqual(parse({ expiry }, {}), {})
  refused({ expiry }, { expiry: 'soon' }, 422, 'Validation failed: Expiry is not a number')
  const many = Optional(Type.Union([Type.Boolean(), Type.Array(Type.String())]))
  assert.deepEqual(parse({ many }, { many: ['a'] }), { many: ['a'] })
})

test('nested, open and intersected objects are read without undeclared members', () => {
  const poll = Optional(Type.Object({ options: Type.Array(Type.String({ maxLength: 3 })), expires_in: Type.Integer() }))
  assert.deepEqual(parse({ poll }, { poll: { options: { 0: 'a', 1: 'b' }, expires_in: '300', x: 1 }, y: 2 }), {
    poll: { options: ['a', 'b'], expires_in: 300 },
  })
  assert.deepEqual(parse({ poll }, { poll: null }), {})
  const nullable = Optional(Type.Union([Type.Object({ a: Type.Integer() }), Type.Null()]))
  for (const scalar of ['', 'undefined', 'x', 5, true]) {
    assert.deepEqual(parse({ poll }, { poll: scalar }), {})
    assert.deepEqual(parse({ poll: nullable }, { poll: scalar }), {})
  }
  assert.deepEqual(parse({ poll: nullable }, { poll: null }), { poll: null })
  refused({ poll }, { poll: ['x'] }, 422, 'Validation failed: Poll is invalid')
  refused({ poll }, { poll: { options: ['a'] } }, 400, 'param is missing or the value is empty: poll[expires_in]')
  refused(
    { poll },
    { poll: { options: ['long', 'longer'], expires_in: 1 } },
    422,
    'Validation failed: Poll options is too long (maximum is 3 characters)',
  )
  assert.deepEqual(
    parse({ alerts: Type.Record(Type.String(), Type.Boolean()) }, { alerts: { mention: '1', poll: 'f' } }),
    { alerts: { mention: true, poll: false } },
  )
  const both = Type.Intersect([Type.Object({ a: Type.Integer() }), Type.Object({ b: Type.Integer() })])
  assert.deepEqual(makeParser(both)({ a: '1', b: '2', c: 3 }), { a: 1, b: 2 })
})

test('missing and blank required parameters are refused', () => {
  const message = 'param is missing or the value is empty: q'
  for (const input of [{}, { q: '' }, { q: '  ' }, { q: null }, undefined])
    refused({ q: Type.String() }, input, 400, message)
  refused({ q: Type.Integer() }, { q: '' }, 400, message)
  for (const input of [{}, { domain: '' }, { domain: ' ' }])
    refused({ domain: Type.String(NOT_BLANK) }, input, 422, "Validation failed: Domain can't be blank")
  refused(
    { a: Type.Integer({ minimum: 5 }), b_ids: Type.Array(Type.Integer(), { maxItems: 1 }) },
    { a: 1, b_ids: [1, 2] },
    422,
    'Validation failed: A must be greater than or equal to 5, B has too many entries (maximum is 1)',
  )
})

test('a file parameter accepts uploaded files only', () => {
  const file = new UploadedFile('/tmp/x', 'x', 'image/png', 1)
  assert.equal((parse({ file: Upload }, { file }) as { file: unknown }).file, file)
  assert.deepEqual(parse({ file: Optional(Upload) }, { file: '' }), {})
  refused(
    { file: Upload },
    { file: { path: '/etc/passwd', filename: 'x', mimetype: 'x', size: 1 } },
    422,
    'Validation failed: File is invalid',
  )
  refused({ text: Type.String() }, { text: file }, 422, 'Validation failed: Text is invalid')
})
