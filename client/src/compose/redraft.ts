// "Delete and redraft": the text is stored on this device before the post is deleted, as the server's answer may be lost.
import { api, isGone, read } from '../api/client.ts'
import type { Status } from '../api/entities.ts'
import { reloadMe } from '../state/me.ts'
import { findStatus, removeStatus, storeStatus } from '../state/statuses.ts'
import { draftOf, type Author, type Draft } from './draft.ts'
import { isTemporary } from './errors.ts'
import { readDraft, removeDraft, storeDraft } from './store.ts'

/** Deletes a status and returns a stored draft of it. Throws ApiError; the draft stays when the status may have been deleted. */
export async function redraft(status: Status, author: Author): Promise<Draft> {
  const shown = findStatus(status.id)?.peek() ?? status
  removeStatus(status.id)
  try {
    const draft = await storedCopy(status, author)
    await read(api.DELETE('/api/v1/statuses/{id}', { params: { path: { id: status.id } } })).catch(async (error) => {
      if (isGone(error)) return
      if (!isTemporary(error)) await removeDraft(draft)
      throw error
    })
    void reloadMe()
    return draft
  } catch (error) {
    if (!isGone(error)) storeStatus(shown)
    throw error
  }
}

/** When an earlier attempt has deleted the status, what that one stored. */
async function storedCopy(status: Status, author: Author): Promise<Draft> {
  const id = `redraft ${status.id}`
  const params = { path: { id: status.id } }
  try {
    const [now, { text }] = await Promise.all([
      read(api.GET('/api/v1/statuses/{id}', { params })),
      read(api.GET('/api/v1/statuses/{id}/source', { params })),
    ])
    const inReplyTo = await parentOf(now)
    const draft = draftOf({ deleted: { ...now, text }, ...(inReplyTo ? { inReplyTo } : {}) }, author)
    await storeDraft({ ...draft, id })
    return { ...draft, id }
  } catch (error) {
    const stored = isGone(error) && (await readDraft(id))
    if (stored) return stored
    throw error
  }
}

/** The status to which another one replies; null when it is gone. Throws ApiError. */
export async function parentOf({ in_reply_to_id: id }: Status): Promise<Status | null> {
  if (!id) return null
  try {
    return await read(api.GET('/api/v1/statuses/{id}', { params: { path: { id } } }))
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}
