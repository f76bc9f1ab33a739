import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTagName, normaliseTag } from './tags.ts'

test('spellings of one tag share a key', () => {
  assert.equal(normaliseTag('RubyOnRails'), 'rubyonrails')
  assert.equal(normaliseTag('ＡＢＣａｂｃやゆよ'), 'abcabcやゆよ')
  assert.equal(normaliseTag('Cafe\u0301'), normaliseTag('CAFÉ'))
  assert.equal(normaliseTag('#Hello World❤️.'), 'helloworld')
  assert.equal(normaliseTag('·one·two·'), 'one·two')
  assert.equal(normaliseTag('ﷺ').includes(' '), false)
  for (const name of ['İstanbul', 'ǅ', '①x', 'ẞ']) assert.equal(normaliseTag(normaliseTag(name)), normaliseTag(name))
})

test('names are words, not digits alone', () => {
  for (const name of ['a', '3d', '_', '1_2', 'ぼっち・ざ', 'ｆｏｏ', 'हिन्दी']) assert.equal(isTagName(name), true, name)
  for (const name of ['', '123', '١٢٣', '#a', 'a b', '.a', '·a', 'a·', 'a-b', 'a\n', '❤']) {
    assert.equal(isTagName(name), false, name)
  }
})
