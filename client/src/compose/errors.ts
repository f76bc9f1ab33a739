import { ApiError, isOffline } from '../api/client.ts'
import { texts } from '../texts.ts'

/** Why something failed, in words for people: the server's own where it gave some. */
export function errorText(error: unknown): string {
  if (isOffline(error)) return texts.frame.offline_error
  if (error instanceof ApiError && error.message) return error.message
  console.warn(error)
  return texts.frame.error
}

/** Whether the same request may succeed later: no network, a server that restarts, a rate limit, an ended session. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 0 || error.status >= 500 || [401, 408, 425, 429].includes(error.status))
