import { Worker } from 'node:worker_threads'

type Waiting = { resolve(language: string | null): void; reject(error: Error): void }

/** Milliseconds after which an idle thread ends and frees its memory. */
const IDLE_MS = 120_000

let worker: Worker | null = null
let isReady = false
let idle: NodeJS.Timeout | undefined
let last = 0
const waiting = new Map<number, Waiting>()

/**
 * Returns a code such as `en`; null when the language is uncertain. Runs in a thread that starts on first use and ends when
 * idle.
 */
export function detectLanguage(text: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const thread = (worker ??= start())
    clearTimeout(idle)
    const id = ++last
    waiting.set(id, { resolve, reject })
    // A pending request keeps the process alive; an idle thread does not.
    thread.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is not a window
    thread.postMessage({ id, text })
  })
}

/** A detection takes one or two milliseconds; on a busy server, its answer waits for a while. */
const MAX_WAIT_MS = 200

/** Undefined when the detection fails or takes too long, and at once while the thread starts, which it does then. */
export async function detectLanguageSoon(text: string): Promise<string | null | undefined> {
  const detected = detectLanguage(text).catch(() => undefined)
  if (!isReady) return undefined
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, MAX_WAIT_MS, undefined)
  try {
    return await Promise.race([detected, late])
  } finally {
    clearTimeout(timer)
  }
}

function start(): Worker {
  const thread = new Worker(new URL('./detect-language-worker.ts', import.meta.url))
  thread.on('message', ({ id, language }: { id: number; language: string | null }) => {
    isReady = true
    waiting.get(id)?.resolve(language)
    waiting.delete(id)
    if (waiting.size === 0) stopWhenIdle(thread)
  })
  thread.on('error', fail)
  thread.on('exit', () => {
    if (worker === thread) fail(new Error('the language detection thread ended'))
  })
  return thread
}

function stopWhenIdle(thread: Worker): void {
  thread.unref()
  idle = setTimeout(() => {
    if (worker === thread) [worker, isReady] = [null, false]
    void thread.terminate()
  }, IDLE_MS).unref()
}

function fail(error: Error): void {
  ;[worker, isReady] = [null, false]
  for (const { reject } of waiting.values()) reject(error)
  waiting.clear()
}
