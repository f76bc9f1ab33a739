// The rules for attachments of a post. The server has the same rules; checking them first saves an upload that it would refuse.
import type { Instance } from '../api/entities.ts'
import type { DraftMedia } from './draft.ts'

export type MediaKind = DraftMedia['kind']
export type MediaLimits = Pick<
  Instance['configuration']['media_attachments'],
  'supported_mime_types' | 'image_size_limit' | 'video_size_limit' | 'image_matrix_limit'
> & { max_media_attachments: number }

export type MediaProblem =
  | { reason: 'type' }
  | { reason: 'mixed' }
  | { reason: 'count'; limit: number }
  | { reason: 'size'; limit: number }
  | { reason: 'pixels'; limit: number }

export function kindOfFile(type: string): MediaKind {
  if (type.startsWith('video/')) return 'video'
  return type.startsWith('audio/') ? 'audio' : 'image'
}

/** Why a file cannot be added to the others, or null. Some systems give no type: the server looks at the bytes. */
export function problemOf(
  file: { type: string; size: number },
  others: readonly { kind: MediaKind }[],
  limits: MediaLimits,
): MediaProblem | null {
  if (file.type !== '' && !limits.supported_mime_types.includes(file.type)) return { reason: 'type' }
  const kind = kindOfFile(file.type)
  if (others.length >= limits.max_media_attachments) return { reason: 'count', limit: limits.max_media_attachments }
  if (others.length > 0 && [kind, ...others.map((other) => other.kind)].some((each) => each !== 'image'))
    return { reason: 'mixed' }
  const limit = kind === 'image' ? limits.image_size_limit : limits.video_size_limit
  return file.size > limit ? { reason: 'size', limit } : null
}
