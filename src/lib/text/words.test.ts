import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuTime } from '../../../test/support/cpu.ts'
import { tokenizeQuery, tokenize } from './words.ts'

const words = (text: string): string[] => tokenize(text, 1000).map(({ word, at }) => `${word}/${at}`)
const sought = (text: string): string[] => tokenizeQuery(text, 1000).map(({ word, at }) => `${word}/${at}`)

test('variants in case, width and accents are one word', () => {
  assert.deepEqual(words('Crème BRÛLÉE, Straße & Ærøskøbing'), ['creme/1', 'brulee/2', 'strasse/3', 'aeroskobing/4'])
  assert.deepEqual(words('ＦＵＬＬ ﬁve Łódź ΛΌΓΟΣ Ёлка'), ['full/1', 'five/2', 'lodz/3', 'λογοσ/4', 'елка/5'])
  assert.deepEqual(words("don't example.org/a_b #Tag @user@far.test"), [
    'don/1',
    't/2',
    'example/3',
    'org/4',
    'a/5',
    'b/6',
    'tag/7',
    'user/8',
    'far/9',
    'test/10',
  ])
  // Marks are vowels in Indic scripts.
  assert.deepEqual(words('हिन्दी'), ['हिन्दी/1'])
  assert.deepEqual(words('سَلَام'), ['سلام/1'])
  assert.deepEqual(words('… !!! —'), [])
  assert.deepEqual(words('party 🎉!'), ['party/1', '🎉/2'])
})

test('any part of a text without spaces is found', () => {
  assert.deepEqual(words('東京都 x'), ['東/1', '東京/1', '京/2', '京都/2', '都/3', 'x/4'])
  const has = (text: string, part: string): boolean => {
    const places = new Set(words(text))
    const looked = tokenizeQuery(part, 100)
    return Array.from({ length: 50 }, (_, shift) => shift).some((shift) =>
      looked.every(({ word, at }) => places.has(`${word}/${at + shift}`)),
    )
  }
  for (const part of ['東京都', '京都庁', '庁', 'タワー', '都庁 tower', 'ーと'])
    assert.ok(has('新しい東京都庁 tower タワーと', part), part)
  assert.ok(!has('東京都庁', '東都'))
  assert.ok(has('สวัสดีครับ', 'ครับ') && has('한국어를 배워요', '한국어'))
  assert.deepEqual(sought('東京都 x'), ['東京/1', '京都/2', 'x/4'])
})

test('long texts and long words are cut', async () => {
  assert.equal(tokenize('a '.repeat(50_000), 2000).length, 2000)
  assert.equal(tokenize('x'.repeat(100_000), 10)[0]?.word.length, 64)
  const took = await cpuTime(async () => {
    tokenize(`e${'\u0301'.repeat(100_000)}`, 100)
    tokenize('東'.repeat(100_000), 100)
  })
  assert.ok(took < 5000, `${took} ms`)
})
