import assert from 'node:assert/strict'
import { test } from 'node:test'
import { complete, tokenAt } from './completion.ts'

test('a mention, hashtag or emoji at the caret is completed', () => {
  const of = (text: string, caret = text.length) => {
    const token = tokenAt(text, caret)
    return token && `${token.kind} ${token.query} ${token.start}-${token.end}`
  }
  assert.equal(of('hi @al'), 'account al 3-6')
  assert.equal(of('@ada@exam'), 'account ada@exam 0-9')
  assert.equal(of('@雪@exam'), 'account 雪@exam 0-7')
  assert.equal(of('@Žofie'), 'account Žofie 0-6')
  assert.equal(of('(#über'), 'tag über 1-6')
  assert.equal(of('ok :bl'), 'emoji bl 3-6')
  assert.equal(of('@al and more', 3), 'account al 0-3')
})

test('addresses, times and lone marks are not completed', () => {
  for (const text of ['a@b', 'at 10:30', 'https://a.test/@x', '@', '#', ':', ':a', 'word ', ''])
    assert.equal(tokenAt(text, text.length), null, text)
})

test('a completion ends with one space', () => {
  const token = tokenAt('hi @al', 6)
  assert.ok(token)
  assert.deepEqual(complete('hi @al', token, '@alice'), { text: 'hi @alice ', caret: 10 })
  assert.deepEqual(complete('hi @al there', token, '@alice'), { text: 'hi @alice there', caret: 10 })
})
