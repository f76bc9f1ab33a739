// The draft in the composer, and what changes it.
import { signal } from '@preact/signals'
import { texts } from '../texts.ts'
import { offerUndo } from '../ui/optimistic.ts'
import { emptyPost, isEmptyPost, type Draft, type DraftMedia, type DraftPost } from './draft.ts'

/** Null while the composer is closed or loads what it changes. */
export const currentDraft = signal<Draft | null>(null)

/** True when the composer opened with what an earlier visit left unfinished. */
export const isRestored = signal(false)

/** Why the last attempt failed, or files were refused, in words for people. */
export const failures = signal<readonly string[]>([])

/** True while posts are sent. Nothing can be changed meanwhile, and nothing is sent twice. */
export const isSending = signal(false)

/** The key of the attachment whose dialog is open. */
export const describedMedia = signal<string | null>(null)

export function changeDraft(change: Partial<Draft>): void {
  const draft = currentDraft.value
  if (draft) currentDraft.value = { ...draft, ...change, changedAt: Date.now() }
}

/** `change` may be computed from the post as it is by then: uploads end while people write. */
export function changePost(key: string, change: Partial<DraftPost> | ((post: DraftPost) => Partial<DraftPost>)): void {
  const draft = currentDraft.value
  if (!draft) return
  const posts = draft.posts.map((post) =>
    post.key === key ? { ...post, ...(typeof change === 'function' ? change(post) : change) } : post,
  )
  changeDraft({ posts })
}

export function changeMedia(postKey: string, mediaKey: string, change: Partial<DraftMedia>): void {
  changePost(postKey, ({ media }) => ({
    media: media.map((each) => (each.key === mediaKey ? { ...each, ...change } : each)),
  }))
}

/** Adds a post below another one. */
export function addPost(after: string): void {
  const draft = currentDraft.value
  if (!draft) return
  const index = draft.posts.findIndex(({ key }) => key === after)
  const warning = draft.posts[index]?.warning ?? null
  changeDraft({ posts: draft.posts.toSpliced(index + 1, 0, { ...emptyPost(), warning }) })
}

/** Removes a post of a thread, with an undo. */
export function removePost(post: DraftPost): void {
  const draft = currentDraft.value
  if (!draft || draft.posts.length < 2) return
  const index = draft.posts.findIndex(({ key }) => key === post.key)
  changeDraft({ posts: draft.posts.toSpliced(index, 1) })
  if (isEmptyPost(post)) return
  offerUndo(texts.compose.post_removed, () => {
    const now = currentDraft.value
    if (now?.id === draft.id) changeDraft({ posts: now.posts.toSpliced(index, 0, post) })
  })
}

/** With a way back. */
export function removePoll({ key, poll }: DraftPost): void {
  changePost(key, { poll: null })
  if (poll?.options.some((option) => option.trim() !== ''))
    offerUndo(texts.compose.poll_removed, () => changePost(key, ({ media }) => (media.length > 0 ? {} : { poll })))
}
