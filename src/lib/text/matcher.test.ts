import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMatcher } from './matcher.ts'

const pick = (letters: string, length: number): string =>
  Array.from({ length }, () => letters[Math.floor(Math.random() * letters.length)]).join('')

test('all phrases in a text are found, and no others', () => {
  for (let round = 0; round < 500; round++) {
    const phrases = [...new Set(Array.from({ length: 1 + (round % 12) }, () => pick('ab c', 1 + (round % 5))))]
    const text = pick('ab c', round % 40)
    const expected = phrases.flatMap((phrase, i) => (text.includes(phrase) ? [i] : []))
    const found = [...createMatcher(phrases).find(text)].toSorted((a, b) => a - b)
    assert.deepEqual(found, expected, JSON.stringify({ phrases, text }))
  }
})

test('no phrases, empty phrases and duplicates are accepted', () => {
  assert.equal(createMatcher([]).find('abc').size, 0)
  assert.deepEqual(createMatcher(['', 'b', 'b']).find('abc'), new Set([1]))
})

test('memory is limited for any phrases', () => {
  const matcher = createMatcher([pick('ab', 90_000), pick('cd', 90_000), 'ef'])
  assert.ok(matcher.size < 4_000_000, `${matcher.size}`)
  assert.deepEqual(matcher.find('cdcdef'), new Set([2]), 'phrases within the limit are found')
})
