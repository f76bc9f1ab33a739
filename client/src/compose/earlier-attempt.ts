// A draft may have been posted, without an answer, before it was changed. That status is then edited, so that there is only one.
import { api, ApiError, read } from '../api/client.ts'
import type { Status } from '../api/entities.ts'
import { texts } from '../texts.ts'
import { findAttempted } from './already-sent.ts'
import { earlierVersion, type Draft } from './draft.ts'

/** Only the viewer can tell whether an earlier version was posted. */
export class UnsureError extends ApiError {
  constructor() {
    super(409, texts.compose.maybe_posted)
  }
}

/**
 * The status that was made of an earlier version, to be edited. Deletes what was made of it where an edit would not do, and returns
 * null then, as when nothing was made. Throws ApiError.
 */
export async function findOrDeleteEarlier(draft: Draft): Promise<Status | null> {
  const earlier = earlierVersion(draft)
  const found = earlier && (await findAttempted(earlier))
  if (!found) return null
  if (found === 'unsure') throw new UnsureError()
  if ('scheduled_at' in found) {
    await read(api.DELETE('/api/v1/scheduled_statuses/{id}', { params: { path: { id: found.id } } }))
    return null
  }
  // An edit changes neither the visibility nor the time.
  if (found.visibility === draft.visibility && !draft.scheduledAt) return found
  await read(api.DELETE('/api/v1/statuses/{id}', { params: { path: { id: found.id } } }))
  return null
}
