import { ApiError, isGone, isOffline } from '../api/client.ts'
import { isConnected } from '../api/connection.ts'
import { texts } from '../texts.ts'

/** Why something failed, in words for people: the server's own where it gave some. */
export function errorText(error: unknown): string {
  if (isOffline(error) || (!isConnected.value && !(error instanceof ApiError))) return texts.frame.offline_error
  if (error instanceof ApiError) {
    if (error.status === 401) return texts.frame.session_ended
    if (error.status === 429) return texts.offline.too_many_requests
    if (isUnavailable(error)) return texts.offline.unavailable
    if (isGone(error)) return texts.frame.not_found
    if (error.message) return error.message
    if (error.status === 413) return texts.offline.too_large
  }
  console.warn(error)
  return texts.frame.error
}

/** Whether the server, or the proxy before it, says that it will answer later. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof ApiError && [502, 503, 504].includes(error.status)
