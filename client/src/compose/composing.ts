// Opening and closing the composer, and what then becomes of the draft.
import { api, read } from '../api/client.ts'
import { identity } from '../state/me.ts'
import { texts } from '../texts.ts'
import { showToast } from '../ui/toasts.tsx'
import { addFiles } from './add-media.ts'
import { claimDraft, interruptedDraft, isOpenElsewhere, openedAs, releaseDraft, saveNow } from './autosave.ts'
import { currentDraft, describedMedia, failures, isRestored, isSending } from './current.ts'
import { draftOf, emptyPost, isEmptyPost, isSameDraft, type Draft } from './draft.ts'
import { withoutLostMedia } from './media-check.ts'
import { composeRequest, minimise, openComposer, type ComposeRequest } from './open.ts'
import { loadStatus, redraft } from './redraft.ts'
import { copyDraft, isOnlyHere, readDraft, removeDraft, storeDraft } from './store.ts'
import { cancelUploads, resumeUploads } from './uploads.ts'

/** Throws ApiError when the text of a status to be changed cannot be loaded. */
export async function openDraft(request: ComposeRequest): Promise<void> {
  // A reply may still be open in its place.
  if (currentDraft.value) await saveAsDraft()
  failures.value = []
  isRestored.value = false
  currentDraft.value = null
  const draft = await draftFor(request)
  if (composeRequest.value !== request || !draft) {
    if (draft && request.redraft) showDraftSaved(draft)
    return
  }
  // The text of a deleted status is nowhere else, so it counts as a change.
  await claimDraft(draft, request.redraft || request.deleted ? { ...draft, posts: [emptyPost()] } : draft)
  currentDraft.value = draft
  resumeUploads()
  const [first] = draft.posts
  if (first && request.files) await addFiles(first.key, request.files)
}

async function draftFor(request: ComposeRequest): Promise<Draft | null> {
  if (!identity.value) return null
  const stored = request.draft ? await readDraft(request.draft) : null
  if (stored && (await isOpenElsewhere(stored.id))) {
    // Each tab would overwrite what the other one saves.
    showToast(texts.compose.draft_copied)
    return withoutLostMedia({ ...(await copyDraft(stored)), state: 'draft', error: null })
  }
  if (stored) {
    // From here on it is not sent by itself.
    const draft: Draft = { ...stored, state: 'draft', error: null }
    await storeDraft(draft)
    return withoutLostMedia(draft)
  }
  if (Object.keys(request).length === 0) {
    const interrupted = await interruptedDraft()
    if (interrupted) {
      isRestored.value = true
      return withoutLostMedia(interrupted)
    }
  }
  if (request.redraft) return redraft(request.redraft, identity.value)
  const draft = draftOf(await withParent(request), identity.value)
  return request.edit ? withSource(draft, request.edit.id) : draft
}

/** A reply that is written again is a reply to the same status, unless that is gone. */
async function withParent(request: ComposeRequest): Promise<ComposeRequest> {
  if (!request.deleted) return request
  try {
    const inReplyTo = await loadStatus(request.deleted.in_reply_to_id)
    return inReplyTo ? { ...request, inReplyTo } : request
  } catch (error) {
    console.info(error)
    return request
  }
}

/** A status has HTML only: the text that its author typed is requested for an edit. */
async function withSource(draft: Draft, id: string): Promise<Draft> {
  const source = await read(api.GET('/api/v1/statuses/{id}/source', { params: { path: { id } } }))
  return {
    ...draft,
    posts: draft.posts.map((post) => ({ ...post, text: source.text, warning: source.spoiler_text || null })),
  }
}

/** What was written stays as a draft. */
export async function closeComposer(): Promise<void> {
  await saveAsDraft()
  closeUnsaved()
}

const isWritten = (draft: Draft): boolean =>
  openedAs.value !== null && !isSameDraft(draft, openedAs.value) && !draft.posts.every(isEmptyPost)

async function saveAsDraft(): Promise<void> {
  const draft = currentDraft.value
  const isDraft = draft !== null && isWritten(draft)
  await saveNow()
  if (isDraft) showDraftSaved(draft)
}

function showDraftSaved(draft: Draft): void {
  showToast(isOnlyHere(draft) ? texts.compose.not_stored : texts.compose.draft_saved, {
    action: { label: texts.compose.discard, onSelect: () => void removeDraft(draft) },
  })
}

/** Closes it, with a way back in sight. */
export async function minimiseComposer(): Promise<void> {
  const draft = currentDraft.value
  if (!draft) return
  await storeDraft(draft)
  closeUnsaved()
  minimise(draft.id)
}

/** When the place of a reply leaves the screen: what was written is one press away, in a dialog. */
export async function leavePlace(request: ComposeRequest): Promise<void> {
  const draft = currentDraft.value
  if (composeRequest.value !== request || isSending.value) return
  if (draft && isWritten(draft)) await minimiseComposer()
  else closeUnsaved()
}

/** Goes on in the dialog, which has every tool. */
export async function enlarge(request: ComposeRequest): Promise<void> {
  const draft = currentDraft.value
  if (!draft) return
  if (!isWritten(draft)) {
    const { place: _place, ...withoutPlace } = request
    closeUnsaved()
    openComposer(withoutPlace)
    return
  }
  await storeDraft(draft)
  closeUnsaved()
  openComposer({ draft: draft.id })
}

/** The post that it answers, edits or quotes is gone: it becomes a post of its own. */
export async function detach(draft: Draft): Promise<void> {
  const isAlone = !draft.inReplyTo && !draft.edited
  // At once, so that Post cannot send what was refused again.
  closeUnsaved()
  await storeDraft({ ...draft, ...(isAlone ? { quote: null } : { inReplyTo: null, edited: null }) })
  openComposer({ draft: draft.id })
}

/** Closes the composer without saving its draft: where the draft matters, the caller has stored it. */
export function closeUnsaved(): void {
  cancelUploads()
  releaseDraft()
  composeRequest.value = null
  currentDraft.value = null
  describedMedia.value = null
}

/** Leaves the restored draft in the list, and starts a new one. */
export async function startNewDraft(): Promise<void> {
  await saveNow()
  releaseDraft()
  openComposer({ text: '' })
}
