import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localPath } from './auth-forms.ts'

test('local paths are accepted as redirect targets, with query and fragment', () => {
  for (const path of [
    '/',
    '/auth/edit',
    '/oauth/authorize?redirect_uri=https%3A%2F%2Fa.test%2F&x=1',
    '/a#b',
    '/@ada/1',
  ])
    assert.equal(localPath(path), path)
})

test('redirect targets that could lead to another site are refused', () => {
  const refused = [
    '',
    'auth/edit',
    'https://evil.test/',
    '//evil.test',
    '///evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    '/.//evil.test',
    '/a/..//evil.test',
    '/%2e//evil.test',
    '\\/evil.test',
    'javascript:alert(1)',
    ' //evil.test',
  ]
  for (const text of refused) assert.equal(localPath(text), null, JSON.stringify(text))
})
