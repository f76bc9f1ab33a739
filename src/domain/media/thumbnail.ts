import type { Context } from '../../context.ts'
import { invalidField } from '../../lib/errors.ts'
import { inspectImage } from './decode.ts'
import { withDecodedHeic } from './heic.ts'
import { processImage, type Dimensions } from './image.ts'
import { IMAGE_SIZE_LIMIT } from './limits.ts'
import { paletteOf, type Palette } from './palette.ts'
import { keyFor, storing, type ReceivedFile } from './storing.ts'

/** A stored image that stands for a media attachment. */
export type Thumbnail = { previewKey: string; small: Dimensions; blurhash: string; colors?: Palette }

/** The members of `meta` that a thumbnail sets. */
export const thumbnailMeta = ({ small, colors }: Thumbnail): Pick<Thumbnail, 'small' | 'colors'> => ({
  small,
  ...(colors ? { colors } : {}),
})

/**
 * Stores a thumbnail. An `artwork` (uploaded, or the cover in an audio file) stays a PNG if it is one, and has colors; a `frame` of a
 * video does not. The caller deletes it again when it stays unused. Throws Invalid for an image that is not accepted.
 */
export async function prepareThumbnail(
  ctx: Context,
  mediaId: string,
  file: ReceivedFile,
  kind: 'artwork' | 'frame' = 'artwork',
): Promise<Thumbnail> {
  if (file.size > IMAGE_SIZE_LIMIT) {
    await inspectImage(file.path)
    throw invalidField('thumbnail', 'file_size', { megabytes: IMAGE_SIZE_LIMIT / 1024 ** 2 })
  }
  const [{ small, blurhash, meta }, colors] = await withDecodedHeic(ctx, file.path, async (path, options) => [
    await processImage(path, { keepsPng: kind === 'artwork', ...options }),
    kind === 'artwork' ? { colors: await paletteOf(path) } : {},
  ])
  const previewKey = keyFor(mediaId, 'small', small)
  return storing(ctx, [[previewKey, small]], async () => ({ previewKey, small: meta.small, blurhash, ...colors }))
}
