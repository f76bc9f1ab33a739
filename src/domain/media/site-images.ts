// Images of the server itself: custom emojis, and the images with which administrators change its appearance.
import { blurhashOf, encoded, processImage, type EncodedImage } from './image.ts'
import { decode, inspectImage, withImageSemaphore } from './decode.ts'
import type { ReceivedFile } from './files.ts'
import { invalidField } from '../../lib/errors.ts'
import { openImage } from './sharp.ts'
import type { SiteUploadName } from '../server/site-uploads.ts'

/** Bytes: that of Mastodon, for local emojis. */
export const LOCAL_EMOJI_LIMIT = 256 * 1024
export const EMOJI_TYPES: readonly string[] = ['image/png', 'image/gif', 'image/webp']

/**
 * `still`: the first frame of an animation; null for a still image. Throws Invalid for another file, or one that is too large.
 */
export async function processEmoji({
  path,
  size,
}: ReceivedFile): Promise<{ image: EncodedImage; still: EncodedImage | null }> {
  if (size > LOCAL_EMOJI_LIMIT) throw invalidField('file', 'too_long_bytes', { count: LOCAL_EMOJI_LIMIT })
  const { format, frames } = await inspectImage(path)
  if (!EMOJI_TYPES.includes(`image/${format}`)) throw invalidField('file', 'content_type_invalid')
  const { original, small } = await processImage(path, { keepsPng: true })
  return { image: original, still: frames > 1 ? small : null }
}

const SIDES: Record<Exclude<SiteUploadName, 'thumbnail'>, readonly number[]> = {
  favicon: [16, 32, 48],
  app_icon: [36, 48, 72, 96, 144, 192, 256, 384, 512],
}

const THUMBNAIL = { width: 1200, height: 630 }

type SiteImage = { variants: Record<string, EncodedImage>; blurhash: string | null }

/** Throws Invalid for a file that is no image. */
export async function processSiteImage(name: SiteUploadName, { path }: ReceivedFile): Promise<SiteImage> {
  const source = await inspectImage(path)
  return withImageSemaphore(async () => {
    if (name === 'thumbnail') {
      const scaled = async (scale: number): Promise<EncodedImage> => {
        const [width, height] = [THUMBNAIL.width * scale, THUMBNAIL.height * scale]
        const image = decode(source).resize(width, height, { fit: 'cover' }).flatten({ background: '#fff' })
        return encoded(image.jpeg(), 'image/jpeg', 'jpg')
      }
      const single = await scaled(1)
      const isLarge = source.width >= THUMBNAIL.width * 2
      return {
        variants: { '1x': single, ...(isLarge ? { '2x': await scaled(2) } : {}) },
        blurhash: await blurhashOf(single),
      }
    }
    const background = { r: 0, g: 0, b: 0, alpha: 0 }
    // Decoded once, as a photo may be large.
    const square = await decode(source).resize(512, 512, { fit: 'contain', background }).png().toBuffer()
    const variants = await Promise.all(
      SIDES[name].map(
        async (side) =>
          [String(side), await encoded(openImage(square).resize(side, side).png(), 'image/png', 'png')] as const,
      ),
    )
    return { variants: Object.fromEntries(variants), blurhash: null }
  })
}
