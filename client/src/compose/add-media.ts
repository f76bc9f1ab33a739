// Adds files to a post: chosen, pasted or dropped.
import { identity } from '../state/me.ts'
import { fullNumber, texts } from '../texts.ts'
import { offerUndo } from '../ui/optimistic.ts'
import { changePost, currentDraft, failures } from './current.ts'
import { randomKey, type DraftMedia, type DraftPost } from './draft.ts'
import { kindOfFile, problemOf, type MediaLimits, type MediaProblem } from './media-rules.ts'
import { shrunk } from './shrink.ts'
import { readFile, removeFile, storeFile } from './store.ts'
import { cancelUpload, startUpload } from './uploads.ts'

function limits(): MediaLimits | null {
  const configuration = identity.value?.instance.configuration
  return configuration ? { ...configuration.media_attachments, ...configuration.statuses } : null
}

/** What file dialogs offer. */
export const acceptedTypes = (): string => limits()?.supported_mime_types.join(',') ?? ''

/** Why a post can have no media; null when it can. In words for people. */
function conflictOf({ poll }: DraftPost): string | null {
  if (poll) return texts.compose.media_with_poll
  return currentDraft.value?.quote ? texts.compose.media_with_quote : null
}

/** Why no file can be added to a post; null when one can. In words for people. */
export function mediaRefusal(post: DraftPost): string | null {
  const { media } = post
  const count = limits()?.max_media_attachments ?? 0
  if (media.some(({ kind }) => kind !== 'image')) return texts.compose.media_mixed
  return conflictOf(post) ?? (media.length < count ? null : texts.compose.media_too_many({ count }))
}

const findPost = (postKey: string): DraftPost | undefined =>
  currentDraft.value?.posts.find(({ key }) => key === postKey)

export async function addFiles(postKey: string, files: readonly File[]): Promise<void> {
  failures.value = []
  for (const file of files) {
    const problem = await addFile(postKey, file)
    if (problem && !failures.value.includes(problem)) failures.value = [...failures.value, problem]
  }
}

/** Returns why it cannot be added, in words for people. */
async function addFile(postKey: string, file: File): Promise<string | null> {
  const post = findPost(postKey)
  const allowed = limits()
  if (!post || !allowed) return null
  const conflict = conflictOf(post)
  if (conflict) return conflict
  const problem = problemOf(file, post.media, allowed) ?? (await tooManyPixels(file, allowed))
  const fitting = problem ? await madeToFit(file, problem, allowed) : file
  if (!fitting) return problem && problemText(file, problem)
  const media: DraftMedia = {
    key: randomKey(),
    name: file.name,
    kind: kindOfFile(file.type),
    attachment: null,
    description: '',
    focus: null,
  }
  changePost(postKey, ({ media: others }) => ({ media: [...others, media] }))
  await storeFile(media.key, fitting)
  void startUpload(postKey, media)
  return null
}

async function madeToFit(file: File, { reason }: MediaProblem, allowed: MediaLimits): Promise<File | null> {
  return reason === 'size' || reason === 'pixels' ? shrunk(file, allowed) : null
}

async function tooManyPixels(file: File, { image_matrix_limit: limit }: MediaLimits): Promise<MediaProblem | null> {
  if (kindOfFile(file.type) !== 'image') return null
  try {
    const bitmap = await createImageBitmap(file)
    const pixels = bitmap.width * bitmap.height
    bitmap.close()
    return pixels > limit ? { reason: 'pixels', limit } : null
  } catch {
    // The browser does not know the format, but the server may.
    return null
  }
}

const megabytes = (bytes: number): string => fullNumber(Math.floor(bytes / 2 ** 20))

function problemText({ name }: File, problem: MediaProblem): string {
  const t = texts.compose
  if (problem.reason === 'type') return t.media_type({ name })
  if (problem.reason === 'mixed') return t.media_refused({ name, problem: t.media_mixed })
  if (problem.reason === 'count') return t.media_refused({ name, problem: t.media_too_many({ count: problem.limit }) })
  if (problem.reason === 'size') return t.media_too_large({ name, limit: megabytes(problem.limit) })
  return t.media_too_many_pixels({ name, limit: fullNumber(Math.floor(problem.limit / 1_000_000)) })
}

/** With a way back where a description would be lost. */
export async function removeMedia(postKey: string, removed: DraftMedia): Promise<void> {
  const { key } = removed
  const index = findPost(postKey)?.media.findIndex((each) => each.key === key) ?? 0
  cancelUpload(key)
  changePost(postKey, ({ media }) => ({ media: media.filter((each) => each.key !== key) }))
  if (removed.description.trim() === '') return removeFile(key)
  const file = await readFile(key)
  await removeFile(key)
  offerUndo(texts.compose.media_removed, async () => {
    const post = findPost(postKey)
    if (!post || mediaRefusal(post)) return
    if (file) await storeFile(key, file)
    changePost(postKey, ({ media }) => ({ media: media.toSpliced(index, 0, removed) }))
    if (!removed.attachment) await startUpload(postKey, removed)
  })
}

/** Puts another file, such as a cropped one, in the place of an attachment. */
export async function replaceFile(postKey: string, media: DraftMedia, file: File): Promise<void> {
  const replaced: DraftMedia = { ...media, key: randomKey(), attachment: null }
  cancelUpload(media.key)
  await storeFile(replaced.key, file)
  changePost(postKey, (post) => ({ media: post.media.map((each) => (each.key === media.key ? replaced : each)) }))
  void startUpload(postKey, replaced)
  await removeFile(media.key)
}
