// What runs in the thread of detect-language.ts: the tables of all languages take 150 MB and most of a second to load.
import { parentPort } from 'node:worker_threads'
import eld from 'eld/small'

/** By how much the best guess must be better than the next one: less tells Danish from Norwegian by chance. */
const MARGIN = 0.02

parentPort?.on('message', ({ id, text }: { id: number; text: string }) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort?.postMessage({ id, language: detect(text) })
})

function detect(text: string): string | null {
  const result = eld.detect(text)
  const [best = 0, next = 0] = Object.values(result.getScores()).toSorted((a, b) => b - a)
  return result.language !== '' && result.isReliable() && best - next >= MARGIN ? result.language : null
}
