import { decode, type DecodeOptions, inspectImage, withImageSemaphore } from './decode.ts'
import { type EncodedImage, encodeLike } from './image.ts'
import { IMAGE_MATRIX_LIMIT } from './limits.ts'

export type ProfileImage = {
  image: EncodedImage
  /** The first frame of an animated image; null where the image itself stands still. */
  still: EncodedImage | null
}

/** An avatar: 400x400, cropped around its middle. Throws Invalid for what is not an image we take. */
export const processAvatar = (path: string, options: DecodeOptions = {}): Promise<ProfileImage> =>
  cover(path, 400, 400, options)

/** A profile header: 1500x500, cropped around its middle. Throws Invalid for what is not an image we take. */
export const processHeader = (path: string, options: DecodeOptions = {}): Promise<ProfileImage> =>
  cover(path, 1500, 500, options)

/** Pixels of all frames together, decoded or encoded: a few seconds of CPU. A longer animation is shown by its first frame. */
const MAX_ANIMATED_PIXELS = IMAGE_MATRIX_LIMIT

async function cover(path: string, width: number, height: number, options: DecodeOptions): Promise<ProfileImage> {
  const source = await inspectImage(path, options)
  return withImageSemaphore(async () => {
    const still = await encodeLike(decode(source).resize(width, height, { fit: 'cover' }), source)
    const isShort =
      source.frames * width * height <= MAX_ANIMATED_PIXELS &&
      source.frames * source.width * source.height <= MAX_ANIMATED_PIXELS
    if (source.frames === 1 || !isShort) return { image: still, still: null }
    // As a GIF this would take fifty times as long.
    const animation = decode(source, { animated: true })
      .resize(width, height, { fit: 'cover' })
      .webp({ quality: 80, effort: 2 })
    return {
      image: { data: await animation.toBuffer(), contentType: 'image/webp', extension: 'webp', width, height },
      still,
    }
  })
}
