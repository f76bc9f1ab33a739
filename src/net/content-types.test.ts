import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isActivityContentType, isActivityRequest, parseMediaType } from './content-types.ts'

const profile = 'profile="https://www.w3.org/ns/activitystreams"'

test('requests for ActivityPub documents and for pages are distinguished', () => {
  const activity = [
    'application/activity+json',
    'APPLICATION/Activity+JSON; charset=utf-8',
    `application/ld+json; ${profile}`,
    `application/activity+json, application/ld+json; ${profile}, text/html;q=0.1`,
    'application/activity+json, text/html',
    'text/html;q=0.5, application/activity+json',
    'application/activity+json, */*;q=0.1',
    'application/json',
    'application/json, */*;q=0.5',
  ]
  const page = [
    undefined,
    '',
    '*/*',
    'text/html',
    'text/html, application/json',
    'application/json+activity',
    'text/html, application/activity+json',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'application/activity+json;q=0',
    'application/activity+json;q=0.2, text/html',
    'application/activity+json;q=banana',
  ]
  for (const accept of activity) assert.equal(isActivityRequest(accept), true, String(accept))
  for (const accept of page) assert.equal(isActivityRequest(accept), false, String(accept))
})

test('a malformed or huge Accept header never throws', () => {
  for (const accept of [
    ';;;',
    ',,,',
    '"',
    'a"b',
    '\u0000',
    'x/y;q="',
    '/',
    ','.repeat(1e5),
    '"'.repeat(1e5),
    ';a="\\'.repeat(3e4),
  ]) {
    assert.equal(isActivityRequest(accept), false)
  }
})

test('only ActivityPub content types promise a document', () => {
  assert.ok(isActivityContentType('application/activity+json'))
  assert.ok(isActivityContentType('Application/Activity+JSON; charset=utf-8'))
  assert.ok(isActivityContentType(`application/ld+json; charset=utf-8; ${profile}`))
  assert.ok(
    isActivityContentType('application/ld+json;profile="https://example.test https://www.w3.org/ns/activitystreams"'),
  )
  for (const type of [
    undefined,
    '',
    'application/json',
    'text/html',
    'application/ld+json',
    'text/plain; application/activity+json',
    'application/ld+json; profile="https://www.w3.org/ns/activitystreams-evil"',
    'application/octet-stream',
    `text/plain; ${profile}`,
    'application/activity+json2',
    'image/png, application/activity+json',
  ]) {
    assert.equal(isActivityContentType(type), false, String(type))
  }
})

test('media types are parsed with their parameters', () => {
  const { type, parameters } = parseMediaType('Text/HTML; Charset="utf-\\8"; q=0.5; charset=late')
  assert.equal(type, 'text/html')
  assert.deepEqual(
    [...parameters],
    [
      ['charset', 'utf-8'],
      ['q', '0.5'],
    ],
  )
})
