import assert from 'node:assert/strict'
import { test } from 'node:test'
import eld from 'eld/small'
import { loadDetector } from './language-tables.ts'

const TEXTS = [
  'The quick brown fox jumps over the lazy dog',
  'Der schnelle braune Fuchs springt über den Zaun',
  'こんにちは世界、元気ですか',
  'Привет, как дела сегодня',
  'مرحبا كيف حالك اليوم',
  "C'est l'été, n'est-ce pas ?",
  '42',
  '',
]

test('texts have the same scores as with the tables of the library', async () => {
  const detector = await loadDetector()
  for (const text of TEXTS) assert.deepEqual(detector.detect(text).getScores(), eld.detect(text).getScores(), text)
})
