import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unicodeEmoji } from './emoji.ts'

test('one emoji is recognised, whole', () => {
  for (const emoji of ['😀', '👍🏽', '🇩🇪', '👩‍👩‍👧‍👦', '❤️', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '1️⃣', '❤️‍🔥']) assert.equal(unicodeEmoji(emoji), emoji)
  assert.equal(unicodeEmoji('❤'), '❤️')
  assert.equal(unicodeEmoji('❤‍🔥'), '❤️‍🔥')
  assert.equal(unicodeEmoji('😀\uFE0F'), '😀')
})

test('other text is not an emoji', () => {
  for (const text of ['', 'a', '1', '#', '😀😀', '😀 ', ':)', 'blobcat', '\u200d', '\uFE0F', '©'.repeat(50)])
    assert.equal(unicodeEmoji(text), null, text)
})
