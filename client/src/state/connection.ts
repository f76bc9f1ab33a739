import { signal } from '@preact/signals'

/** False once a request found no server, until one does. */
export const isConnected = signal(navigator.onLine)

/** True once the server refused the session. Nothing is lost: the frame offers to sign in again. */
export const hasSessionEnded = signal(false)

export function reportConnection(works: boolean): void {
  isConnected.value = works
}

export function reportSessionEnd(): void {
  hasSessionEnded.value = true
}

addEventListener('online', () => reportConnection(true))
addEventListener('offline', () => reportConnection(false))
