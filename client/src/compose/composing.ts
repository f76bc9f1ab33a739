// Opening, closing and sending what is in the composer.
import { ApiError, api, isOffline, read } from '../api/client.ts'
import { identity } from '../state/me.ts'
import { texts } from '../texts.ts'
import { showToast } from '../ui/toasts.tsx'
import { charactersOf } from './count.ts'
import { currentDraft, failure, isSending } from './current.ts'
import { draftOf, isEmptyPost, type Draft, type DraftPost } from './draft.ts'
import { composeRequest, type ComposeRequest } from './open.ts'
import { sendDraft } from './send.ts'

export async function openDraft(request: ComposeRequest): Promise<void> {
  failure.value = null
  currentDraft.value = null
  if (!identity.value) return
  const draft = draftOf(request, identity.value)
  try {
    currentDraft.value = request.edit ? await withSource(draft, request.edit.id) : draft
  } catch (error) {
    failure.value = errorText(error)
  }
}

/** A status has HTML; what its author typed is asked for when it is changed. */
async function withSource(draft: Draft, id: string): Promise<Draft> {
  const source = await read(api.GET('/api/v1/statuses/{id}/source', { params: { path: { id } } }))
  return {
    ...draft,
    posts: draft.posts.map((post) => ({ ...post, text: source.text, warning: source.spoiler_text || null })),
  }
}

export async function closeComposer(): Promise<void> {
  composeRequest.value = null
  currentDraft.value = null
}

const isReady = (post: DraftPost, limit: number): boolean => !isEmptyPost(post) && charactersOf(post) <= limit

export const canSubmit = (draft: Draft, limit: number): boolean => draft.posts.every((post) => isReady(post, limit))

/** Posts what is in the composer, and closes it. If that fails, everything stays as it is, and the composer says why. */
export async function submit(limit: number): Promise<void> {
  const draft = currentDraft.value
  if (!draft || isSending.value || !canSubmit(draft, limit)) return
  isSending.value = true
  failure.value = null
  try {
    const sent = await sendDraft(draft, async (left) => void (currentDraft.value = left))
    composeRequest.value = null
    currentDraft.value = null
    showToast(
      draft.edited ? texts.compose.saved : 'scheduled_at' in sent ? texts.compose.scheduled : texts.compose.posted,
    )
  } catch (error) {
    failure.value = errorText(error)
  } finally {
    isSending.value = false
  }
}

function errorText(error: unknown): string {
  if (isOffline(error)) return texts.frame.offline_error
  if (error instanceof ApiError && error.message) return error.message
  console.error(error)
  return texts.frame.error
}
