import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countCharacters, countGraphemes } from './count.ts'

test('characters are counted as people see them', () => {
  assert.equal(countGraphemes(''), 0)
  assert.equal(countGraphemes('héllo\nñ'), 7)
  assert.equal(countGraphemes('a\r\nb'), 3)
  assert.equal(countGraphemes('👨‍👩‍👧‍👦🇩🇪e\u0301'), 3)
  assert.equal(countGraphemes('✨✨'), 2)
})

test('links count 23, remote mentions only their name, shortcodes as typed', () => {
  assert.equal(countCharacters('https://a.test'), 23)
  assert.equal(countCharacters(`see https://example.com/${'x'.repeat(900)}!`), 4 + 23 + 1)
  assert.equal(countCharacters('xmpp:a@b.test'), 13)
  assert.equal(countCharacters('@alice@a-very-long-domain.example.com hi @bob'), 6 + 4 + 4)
  assert.equal(countCharacters(':blobcat: #tag'), 14)
  assert.equal(countCharacters('example.com'), 11)
})

test('the spoiler counts as it stands', () => {
  assert.equal(countCharacters('a', 'b'), 2)
  assert.equal(countCharacters('', 'https://example.com/long'), 24)
  assert.equal(countCharacters('https://a.test', '@a@b.test '), 33)
})

test('a long text takes linear time', { timeout: 10_000 }, () => {
  assert.equal(countCharacters('e\u0301'.repeat(200_000)), 200_000)
  assert.equal(countCharacters('@a@b.test '.repeat(20_000)), 60_000)
})
