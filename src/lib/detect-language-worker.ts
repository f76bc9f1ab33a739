// The thread of detect-language.ts: loading the tables of all languages takes most of a second.
import { parentPort } from 'node:worker_threads'
import { loadDetector } from './language-tables.ts'

const detector = await loadDetector()

/** The minimum lead of the best guess: below it, chance decides between languages such as Danish and Norwegian. */
const MARGIN = 0.02

parentPort?.on('message', ({ id, text }: { id: number; text: string }) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is not a window
  parentPort?.postMessage({ id, language: detect(text) })
})

function detect(text: string): string | null {
  const result = detector.detect(text)
  const [best = 0, next = 0] = Object.values(result.getScores()).toSorted((a, b) => b - a)
  return result.language !== '' && result.isReliable() && best - next >= MARGIN ? result.language : null
}
