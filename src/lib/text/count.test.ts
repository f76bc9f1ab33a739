import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countCharacters, countGraphemes, cutText, isTooLong, isTooLongStatus } from './count.ts'

test('characters are counted as people see them', () => {
  assert.equal(countGraphemes(''), 0)
  assert.equal(countGraphemes('héllo\nñ'), 7)
  assert.equal(countGraphemes('a\r\nb'), 3)
  assert.equal(countGraphemes('👨‍👩‍👧‍👦🇩🇪e\u0301'), 3)
  assert.equal(countGraphemes('✨✨'), 2)
})

test('a link counts as 23 characters, a remote mention as its username, and a shortcode as typed', () => {
  assert.equal(countCharacters('https://a.test'), 23)
  assert.equal(countCharacters(`see https://example.com/${'x'.repeat(900)}!`), 4 + 23 + 1)
  assert.equal(countCharacters('xmpp:a@b.test'), 13)
  assert.equal(countCharacters('@alice@a-very-long-domain.example.com hi @bob'), 6 + 4 + 4)
  assert.equal(countCharacters(':blobcat: #tag'), 14)
  assert.equal(countCharacters('example.com'), 11)
})

test('the whole spoiler counts', () => {
  assert.equal(countCharacters('a', 'b'), 2)
  assert.equal(countCharacters('', 'https://example.com/long'), 24)
  assert.equal(countCharacters('https://a.test', '@a@b.test '), 33)
})

test('a long text takes linear time', { timeout: 10_000 }, () => {
  assert.equal(countCharacters('e\u0301'.repeat(200_000)), 200_000)
  assert.equal(countCharacters('@a@b.test '.repeat(20_000)), 60_000)
})

test('a character limit also limits code points and bytes', () => {
  const family = '👨‍👩‍👧‍👦'
  assert.equal(isTooLong(family.repeat(30), 30), false)
  assert.equal(isTooLong(family.repeat(31), 30), true)
  assert.equal(isTooLong(`a${'\u0301'.repeat(299)}`, 30), false)
  assert.equal(isTooLong(`a${'\u0301'.repeat(300)}`, 30), true)
  assert.equal(isTooLong('😀'.repeat(30), 30), false)
  const started = performance.now()
  for (const text of [
    `a${'\u0301\u0316'.repeat(500_000)}`,
    `hi @ada@${'b'.repeat(900_000)}.test`,
    '#'.repeat(1_000_000),
  ]) {
    assert.equal(isTooLong(text, 30), true)
    assert.equal(isTooLongStatus(text, 500), true)
  }
  assert.ok(performance.now() - started < 300, `${performance.now() - started} ms`)
  assert.equal(isTooLongStatus(`see https://a.test/${'x'.repeat(4000)} ${'y'.repeat(400)}`, 500), false)
  assert.equal(isTooLongStatus('x', 3, 'abc'), true)
})

test('a text is cut between characters', () => {
  assert.equal(cutText('abc', 3), 'abc')
  assert.equal(cutText('abcd', 3), 'abc')
  assert.equal(cutText('ab👨‍👩‍👧‍👦', 5), 'ab')
  assert.equal(cutText('😀😀😀', 2), '😀😀')
  assert.equal(cutText('ae\u0301x', 2), 'a')
  assert.equal(cutText(`a${'\u0301'.repeat(1000)}`, 10).length, 10)
})
