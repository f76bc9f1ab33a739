import { Worker } from 'node:worker_threads'

type Waiting = { resolve(language: string | null): void; reject(error: Error): void }

/** How long the thread, and the memory it takes, is kept when nobody asks. Milliseconds. */
const IDLE = 120_000

let worker: Worker | null = null
let idle: NodeJS.Timeout | undefined
let last = 0
const waiting = new Map<number, Waiting>()

/**
 * The language of a text (`en`), or null where it cannot be told for sure. Thought about in a thread of its own, which is
 * started when first needed and ended when it is not.
 */
export function detectLanguage(text: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const thread = (worker ??= start())
    clearTimeout(idle)
    const id = ++last
    waiting.set(id, { resolve, reject })
    // Whoever waits keeps the process alive; a thread that nobody waits for does not.
    thread.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    thread.postMessage({ id, text })
  })
}

/** As `detectLanguage`, waiting `ms` at most; undefined when it takes longer, as it does while the thread is starting, or fails. */
export async function detectLanguageWithin(text: string, ms: number): Promise<string | null | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, ms, undefined)
  try {
    return await Promise.race([detectLanguage(text).catch(() => undefined), late])
  } finally {
    clearTimeout(timer)
  }
}

function start(): Worker {
  const thread = new Worker(new URL('./detect-language-worker.ts', import.meta.url))
  thread.on('message', ({ id, language }: { id: number; language: string | null }) => {
    waiting.get(id)?.resolve(language)
    waiting.delete(id)
    if (waiting.size === 0) rest(thread)
  })
  thread.on('error', fail)
  thread.on('exit', () => {
    if (worker === thread) fail(new Error('the thread that tells languages ended'))
  })
  return thread
}

function rest(thread: Worker): void {
  thread.unref()
  idle = setTimeout(() => {
    if (worker === thread) worker = null
    void thread.terminate()
  }, IDLE).unref()
}

function fail(error: Error): void {
  worker = null
  for (const { reject } of waiting.values()) reject(error)
  waiting.clear()
}
