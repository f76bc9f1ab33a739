import type { Context } from '../../context.ts'
import { convertsMedia, decodeHeic, LibraryMissing } from './av/run.ts'
import { type DecodeOptions, inspectImage, notAnImage } from './decode.ts'
import { withTemporary } from './temporary.ts'

/**
 * Runs `work` on an image file. The image library has no HEVC decoder, so a HEIC photo is first decoded in the process that reads
 * video, where that is possible. Throws Invalid for an image that is not accepted, before it is decoded if it has too many pixels.
 */
export async function withDecodedHeic<T>(
  ctx: Context,
  path: string,
  work: (path: string, options: DecodeOptions) => Promise<T>,
): Promise<T> {
  const { isHevc, format } = await inspectImage(path)
  if (!isHevc) return work(path, {})
  if (!convertsMedia(ctx)) throw notAnImage()
  return withTemporary(
    ctx,
    async (target) => {
      await decodeHeic(ctx, path, target).catch((error: unknown) => {
        throw error instanceof LibraryMissing ? notAnImage(error) : error
      })
      return work(target, { decodedFrom: format })
    },
    'png',
  )
}
