// "Delete and redraft": the text is stored on this device before the post is deleted, as the server's answer may be lost.
import { api, isGone, read, readDeletion } from '../api/client.ts'
import type { Status } from '../api/entities.ts'
import { reloadMe } from '../state/me.ts'
import { findStatus, removeStatus, storeStatus } from '../state/statuses.ts'
import { removeFromTimelines } from '../timelines/timelines.ts'
import { draftOf, type Author, type Draft } from './draft.ts'
import { isTemporary } from './errors.ts'
import { readDraft, removeDraft, storeDraft } from './store.ts'

/** Deletes a status and returns a stored draft of it. Throws ApiError. */
export async function redraft(status: Status, author: Author): Promise<Draft> {
  const shown = findStatus(status.id)?.peek() ?? status
  removeStatus(status.id)
  try {
    const draft = await storedCopy(status, author)
    await deleteOriginal(draft, api.DELETE('/api/v1/statuses/{id}', { params: { path: { id: status.id } } }))
    removeFromTimelines(status.id)
    void reloadMe()
    return draft
  } catch (error) {
    if (!isGone(error)) storeStatus(shown)
    throw error
  }
}

/** Deletes what a stored draft is a copy of. Throws ApiError; the draft stays when the original may be gone. */
export async function deleteOriginal(draft: Draft, sent: Parameters<typeof readDeletion>[0]): Promise<void> {
  await readDeletion(sent).catch(async (error: unknown) => {
    if (!isTemporary(error)) await removeDraft(draft)
    throw error
  })
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
    const inReplyTo = await loadStatus(now.in_reply_to_id)
    const draft = draftOf({ deleted: { ...now, text }, ...(inReplyTo ? { inReplyTo } : {}) }, author)
    await storeDraft({ ...draft, id })
    return { ...draft, id }
  } catch (error) {
    const stored = isGone(error) && (await readDraft(id))
    if (stored) return stored
    throw error
  }
}

/** Null for a status that is gone, and for no id. Throws ApiError when that is uncertain: a draft would lose its parent. */
export async function loadStatus(id: string | null): Promise<Status | null> {
  if (!id) return null
  try {
    return await read(api.GET('/api/v1/statuses/{id}', { params: { path: { id } } }))
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}
