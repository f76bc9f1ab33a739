import { ApiError } from '../api/client.ts'

/** Whether the same request may succeed later: no network, a server that restarts, a rate limit, an ended session. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 0 || error.status >= 500 || [401, 408, 425, 429].includes(error.status))
