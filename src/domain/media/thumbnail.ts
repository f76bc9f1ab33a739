import type { Context } from '../../context.ts'
import { keyFor, storing, type ReceivedFile } from './attachments.ts'
import { inspectImage } from './decode.ts'
import { processImage, type Dimensions } from './image.ts'
import { IMAGE_SIZE_LIMIT } from './limits.ts'
import { Invalid } from '../../lib/errors.ts'

/** A picture that is stored, and is to stand for a medium: where it lies, its size and its blurhash. */
export type Thumbnail = { previewKey: string; small: Dimensions; blurhash: string }

/**
 * Stores a picture that is to stand for a medium; the caller deletes it again when it does not come to that. Throws Invalid for
 * what is no image we take.
 */
export async function prepareThumbnail(ctx: Context, mediaId: string, file: ReceivedFile): Promise<Thumbnail> {
  if (file.size > IMAGE_SIZE_LIMIT) {
    await inspectImage(file.path)
    throw new Invalid(`Validation failed: Thumbnail file size must be less than ${IMAGE_SIZE_LIMIT / 1024 ** 2} MB`)
  }
  const { small, blurhash, meta } = await processImage(file.path)
  const previewKey = keyFor(mediaId, 'small', small)
  return storing(ctx, [[previewKey, small]], async () => ({ previewKey, small: meta.small, blurhash }))
}
