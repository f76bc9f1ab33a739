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
  for (const [name, key] of [
    ['Café', 'cafe'],
    ['Tiếng_Việt', 'tieng_viet'],
    ['Smørrebrød', 'smorrebrod'],
    ['Łódź', 'lodz'],
    ['IŞIK', 'isik'],
    ['Straße', 'straße'],
    // Marks distinguish words in other scripts.
    ['ガギグ', 'ガギグ'],
    ['мой', 'мой'],
    ['हिन्दी', 'हिन्दी'],
    ['한국어', '한국어'],
  ] as const)
    assert.equal(normaliseTag(name), key)
  for (const name of ['İstanbul', 'ǅ', '①x', 'ẞ', 'ǿ', 'a\u1dc4\u0301'])
    assert.equal(normaliseTag(normaliseTag(name)), normaliseTag(name))
})

test('hashtag names are words, and not only digits or underscores', () => {
  for (const name of ['a', '3d', '1_2', '_a', 'ぼっち・ざ', 'ｆｏｏ', 'हिन्दी'])
    assert.equal(isTagName(name), true, name)
  for (const name of ['', '_', '___', '1_', '123', '١٢٣', '#a', 'a b', '.a', '·a', 'a·', 'a-b', 'a\n', '❤']) {
    assert.equal(isTagName(name), false, name)
  }
})
