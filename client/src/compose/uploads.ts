// The files of the draft in the composer on their way to the server.
import { signal } from '@preact/signals'
import { ApiError, isOffline } from '../api/client.ts'
import { texts } from '../texts.ts'
import { changeMedia, currentDraft } from './current.ts'
import type { DraftMedia } from './draft.ts'
import { errorText } from '../ui/error-text.ts'
import { readFile } from './store.ts'
import { upload } from './upload.ts'

export type UploadState = {
  /** From 0 to 1; 1 while the server processes the file. */
  progress: number
  /** Why it failed, in words for people; null while it runs. */
  error: string | null
  isOffline: boolean
}

/** By the key of the media. Media that are uploaded have no entry. */
export const uploads = signal<ReadonlyMap<string, UploadState>>(new Map())

const running = new Map<string, AbortController>()

function setState(key: string, state: UploadState | null): void {
  const changed = new Map(uploads.value)
  if (state) changed.set(key, state)
  else changed.delete(key)
  uploads.value = changed
}

export async function startUpload(postKey: string, media: DraftMedia): Promise<void> {
  const { key, description, focus } = media
  cancelUpload(key)
  const controller = new AbortController()
  running.set(key, controller)
  setState(key, { progress: 0, error: null, isOffline: false })
  try {
    const file = await readFile(key)
    if (!file) throw new Error('The file is gone')
    const attachment = await upload(file, {
      description,
      focus,
      signal: controller.signal,
      onProgress: (progress) => setState(key, { progress, error: null, isOffline: false }),
    })
    changeMedia(postKey, key, { attachment })
    setState(key, null)
  } catch (error) {
    if (!controller.signal.aborted)
      setState(key, { progress: 0, error: refusalText(error, media), isOffline: isOffline(error) })
  } finally {
    if (running.get(key) === controller) running.delete(key)
  }
}

/** The server recognises files by their bytes, and says so in one language. */
function refusalText(error: unknown, { name }: DraftMedia): string {
  const isOfOtherType = error instanceof ApiError && error.status === 422 && /content type/i.test(error.message)
  return isOfOtherType && name ? texts.compose.media_type({ name }) : errorText(error)
}

export function cancelUpload(key: string): void {
  running.get(key)?.abort()
  running.delete(key)
  setState(key, null)
}

/** When the composer closes: what is not uploaded yet is sent with the draft later. */
export function cancelUploads(): void {
  for (const key of running.keys()) cancelUpload(key)
  uploads.value = new Map()
}

/** Uploads what a draft that was opened again has only as files. */
export function resumeUploads(): void {
  for (const post of currentDraft.value?.posts ?? [])
    for (const media of post.media) if (!media.attachment) void startUpload(post.key, media)
}
