import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublic, recipientsOf, visibilityOf } from './audience.ts'
import {
  asArray,
  asObject,
  booleanOf,
  countOf,
  dateOf,
  idOf,
  idsOf,
  isHttpUrl,
  isSameHost,
  languageTextOf,
  numberOf,
  nameTextOf,
  textOf,
  typesOf,
  urlOf,
} from './normalise.ts'

const as = 'https://www.w3.org/ns/activitystreams#'

test('prefixed names and full IRIs become plain names', () => {
  const object = asObject({
    '@id': 'https://a.test/1',
    '@type': [`${as}Note`],
    [`${as}content`]: [{ '@value': 'hi', '@language': 'en' }],
    'as:name': 'title',
    'x:other': 1,
  })!
  assert.equal(idOf(object), 'https://a.test/1')
  assert.deepEqual(typesOf(object), ['Note'])
  assert.equal(textOf(object['content']), 'hi')
  assert.equal(object['name'], 'title')
  assert.equal(object['x:other'], 1)
  assert.equal(asObject({ 'as:content': 'long', content: 'plain' })!['content'], 'plain')
  assert.equal(asObject({ content: 'plain', 'as:content': 'long' })!['content'], 'plain')
})

test('a __proto__ property changes nothing', () => {
  const hostile = JSON.parse(
    '{"__proto__":{"id":"https://evil.test/","type":"Person"},"as:name":"x","@type":"Note"}',
  ) as unknown
  const object = asObject(hostile)!
  assert.equal(idOf(object), null)
  assert.equal(({} as Record<string, unknown>)['id'], undefined)
  assert.deepEqual(typesOf(object), ['Note'])
})

test('single, repeated, listed and missing values become arrays', () => {
  assert.deepEqual(asArray(undefined), [])
  assert.deepEqual(asArray(null), [])
  assert.deepEqual(asArray('a'), ['a'])
  assert.deepEqual(asArray(['a', 'b']), ['a', 'b'])
  assert.deepEqual(asArray({ '@list': [1, 2] }), [1, 2])
  assert.deepEqual(asArray([{ '@set': [1, 2] }]), [1, 2])
  assert.equal(asArray(Array.from({ length: 5000 }, () => 1)).length, 1000)
})

test('identifiers come from strings, objects and arrays', () => {
  for (const value of [
    'https://a.test/',
    { id: 'https://a.test/' },
    { '@id': 'https://a.test/' },
    ['https://a.test/', 'x'],
    [{ id: 'https://a.test/' }],
  ]) {
    assert.equal(urlOf(value), 'https://a.test/')
  }
  for (const value of [
    null,
    undefined,
    '',
    1,
    true,
    {},
    [],
    [[]],
    { id: 7 },
    { id: { id: 'x' } },
    `https://a.test/${'x'.repeat(3000)}`,
  ])
    assert.equal(idOf(value), null)
  for (const value of ['javascript:alert(1)', 'tag:a.test,2020:x', 'https://', 'https:///x', 'http://a b/', '//a.test'])
    assert.equal(urlOf(value), null)
  assert.deepEqual(idsOf(['a', { id: 'b' }, 'a', 3]), ['a', 'b'])
})

test('hosts are compared with their ports', () => {
  assert.ok(isSameHost('https://A.test/1', 'https://a.test:443/2'))
  assert.ok(!isSameHost('https://a.test/', 'https://a.test:8443/'))
  assert.ok(!isSameHost('https://a.test/', 'https://b.a.test/'))
  assert.ok(!isSameHost('nonsense', 'nonsense'))
  assert.ok(isHttpUrl('HTTPS://a.test/x'))
})

test('texts fall back to their language map', () => {
  assert.deepEqual(languageTextOf({ content: 'hi', contentMap: { de: 'hallo', en: 'hi' } }, 'content', 100), {
    text: 'hi',
    language: 'en',
  })
  assert.deepEqual(languageTextOf({ contentMap: { de: 'hallo', en: 'hi' } }, 'content', 100), {
    text: 'hallo',
    language: 'de',
  })
  assert.deepEqual(languageTextOf({ content: 'hi', contentMap: { fr: 'salut' } }, 'content', 100), {
    text: 'hi',
    language: 'fr',
  })
  assert.deepEqual(languageTextOf({ content: [{ '@value': 'hi', '@language': 'en-GB' }] }, 'content', 100), {
    text: 'hi',
    language: 'en-GB',
  })
  assert.deepEqual(languageTextOf({ content: 'hi', contentMap: { 'not a language': 'hi' } }, 'content', 100), {
    text: 'hi',
    language: null,
  })
  assert.deepEqual(languageTextOf({ content: '' }, 'content', 100), { text: '', language: null })
  assert.deepEqual(languageTextOf({ contentMap: [1] }, 'content', 100), { text: null, language: null })
  assert.equal(languageTextOf({ content: 'x'.repeat(1e7) }, 'content', 100).text?.length, 100)
})

test('dates are read with and without fractions and zones', () => {
  const iso = (value: unknown) => dateOf(value)?.toISOString() ?? null
  assert.equal(iso('2026-03-01T12:00:00Z'), '2026-03-01T12:00:00.000Z')
  assert.equal(iso('2026-03-01T12:00:00.123456789Z'), '2026-03-01T12:00:00.123Z')
  assert.equal(iso('2026-03-01T12:00:00+02:00'), '2026-03-01T10:00:00.000Z')
  assert.equal(iso('2026-03-01T12:00:00+0200'), '2026-03-01T10:00:00.000Z')
  assert.equal(iso('2026-03-01T12:00'), '2026-03-01T12:00:00.000Z')
  assert.equal(iso('2026-03-01'), '2026-03-01T00:00:00.000Z')
  assert.equal(iso([{ '@value': '2026-03-01T12:00:00z', '@type': 'xsd:dateTime' }]), '2026-03-01T12:00:00.000Z')
  assert.equal(iso('Sun, 01 Mar 2026 12:00:00 GMT'), '2026-03-01T12:00:00.000Z')
  assert.equal(iso('1 Mar 2026 12:00 +0200'), '2026-03-01T10:00:00.000Z')
  for (const bad of [
    '',
    'yesterday',
    '41 Mar 2026 12:00 GMT',
    '1 Mar 2026 12:00',
    '1 Mar 0000 12:00 GMT',
    '2026-13-01T00:00:00Z',
    '2026-03',
    '2026-03-01T',
    '2026-03-01Z',
    '2026-03-01T25:00:00Z',
    '+275760-09-13T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-14:00',
    5,
    null,
    {},
    '2'.repeat(1e7),
  ])
    assert.equal(iso(bad), null)
})

test('numbers are not read from strings, and booleans only from true and false', () => {
  assert.equal(numberOf(1.5), 1.5)
  assert.equal(numberOf([{ '@value': 2 }]), 2)
  for (const bad of ['1', null, Number.NaN, Number.POSITIVE_INFINITY, {}, true]) assert.equal(numberOf(bad), null)
  for (const bad of [-1, 1.5, 2 ** 31, '3']) assert.equal(countOf(bad), null)
  assert.deepEqual([0, 1_000_000_001, 2 ** 31 - 1].map(countOf), [0, 1_000_000_000, 1_000_000_000])
  assert.deepEqual([true, 'true', false, 'false', 1, null, 'yes', {}].map(booleanOf), [
    true,
    true,
    false,
    false,
    null,
    null,
    null,
    null,
  ])
})

test('the audience gives the visibility, for all three spellings of the public collection', () => {
  const followers = 'https://a.test/users/ada/followers'
  for (const spelling of [`${as}Public`, 'as:Public', 'Public']) {
    assert.ok(isPublic(spelling))
    assert.deepEqual(recipientsOf([spelling, { id: spelling }, followers]), [`${as}Public`, followers])
    assert.equal(visibilityOf([spelling], [followers], followers), 'public')
    assert.equal(visibilityOf([followers], [spelling], followers), 'unlisted')
  }
  assert.equal(visibilityOf([followers], [], followers), 'private')
  assert.equal(visibilityOf(['https://b.test/b'], [followers], followers), 'private')
  assert.equal(visibilityOf(['https://b.test/followers'], [], followers), 'direct')
  assert.equal(visibilityOf([], [], null), 'direct')
  assert.deepEqual(recipientsOf('as:Public'), [`${as}Public`])
  assert.equal(recipientsOf(Array.from({ length: 5000 }, (_, i) => `https://a.test/${i}`)).length, 1000)
})

test('NUL and lone surrogates are cleaned from texts, and invalid in ids and URLs', () => {
  assert.equal(textOf('a\0b\ud83d'), 'ab\ufffd')
  assert.equal(textOf('🎉🎉', 3), '🎉\ufffd')
  assert.equal(idOf('https://a.test/\0'), null)
  assert.equal(urlOf('https://a.test/\ud83d'), null)
})

test('a name is unescaped if it has no `<`', () => {
  for (const [name, text] of [
    ['Arts &amp; Crafts', 'Arts & Crafts'],
    ["Don&#8217;t &quot;don't&quot; &lt;3", 'Don\u2019t "don\'t" <3'],
    ['&amp; and & are > &lt;', '& and & are > <'],
    ['<b> is &lt;b&gt;', '<b> is &lt;b&gt;'],
    ['&nbsp; &amp;', '&nbsp; &'],
    ['&#0;&#xd83d;&#9999999;', '\ufffd&#9999999;'],
  ])
    assert.equal(nameTextOf({ name }).text, text)
})
