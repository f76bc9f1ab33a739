// Whether the server can be reached, and whether the session is still valid.
import { effect, signal } from '@preact/signals'

/** False after a request that did not reach the server, until one does. */
export const isConnected = signal(navigator.onLine)

/** True once the server refused the session. Nothing is lost: the frame offers to sign in again. */
export const hasSessionEnded = signal(false)

/** Whether a page came instead of an answer of the server, such as that of a captive portal. Proxies mark theirs as errors. */
export const isPage = ({ ok, headers }: Response): boolean =>
  ok && headers.get('content-type')?.startsWith('text/html') === true

export function reportConnection(works: boolean): void {
  isConnected.value = works
}

export function reportSession(works: boolean): void {
  hasSessionEnded.value = !works
}

addEventListener('online', () => void probe())
addEventListener('offline', () => reportConnection(false))

/** Milliseconds between attempts to reach the server while it cannot be reached: doubled each time. */
const FIRST_DELAY = 2000
const LAST_DELAY = 30_000

let delay = FIRST_DELAY
let timer: ReturnType<typeof setTimeout> | undefined

effect(() => {
  if (isConnected.value) {
    clearTimeout(timer)
    delay = FIRST_DELAY
  } else schedule()
})

function schedule(): void {
  clearTimeout(timer)
  timer = setTimeout(() => void probe(), delay)
  delay = Math.min(LAST_DELAY, delay * 2)
}

/** Resolves to whether the server can be reached. */
export async function checkConnection(): Promise<boolean> {
  await probe()
  return isConnected.peek()
}

/** Resolves once the server can be reached. */
export function untilOnline(): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (isConnected.value) queueMicrotask(() => (resolve(), stop()))
    })
  })
}

/** An error of the server will do, too. */
async function probe(): Promise<void> {
  try {
    const response = await fetch('/health', { cache: 'no-store', signal: AbortSignal.timeout(FIRST_DELAY * 2) })
    if (isPage(response)) throw new Error('A page came in place of the answer')
    reportConnection(true)
  } catch {
    reportConnection(false)
    schedule()
  }
}
