import { type ReceivedFile, withTemporaryFile } from './files.ts'
import type { Metadata, Sharp } from 'sharp'
import type { Context } from '../../context.ts'
import { LibraryMissing, convertsMedia, decodeHeic } from './av/run.ts'
import { IMAGE_DECODERS, IMAGE_MATRIX_LIMIT, IMAGE_SIZE_LIMIT, VIDEO_MATRIX_LIMIT } from './types.ts'
import { Invalid, invalid, invalidField, problemOf } from '../../lib/errors.ts'
import { createSemaphore } from '../../lib/concurrency.ts'
import { message } from '../../messages/message.ts'
import { openImage } from './sharp.ts'

const SECONDS_PER_IMAGE = 30
/** Each takes one of the four threads of libuv's pool, which files, DNS and passwords need as well. */
const MAX_CONCURRENT_IMAGES = 2

type ImageFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'heif'

/** Width and height are those after EXIF orientation, which animations ignore. */
export type SourceImage = {
  path: string
  format: ImageFormat
  width: number
  height: number
  frames: number
  hasAlpha: boolean
  isPalette: boolean
  /** The image library has no HEVC decoder, and reads the header only. */
  isHevc: boolean
}

/** `decodedFrom`: the format of the upload, for a file that the media process has decoded. */
export type DecodeOptions = { decodedFrom?: ImageFormat }

export const notAnImage = (cause?: unknown): Invalid => {
  const error = invalid([problemOf('file', message('content_type_invalid')), problemOf('file', message('invalid'))])
  error.cause = cause
  return error
}

/** Recognises an image by its bytes, without decoding it. Throws Invalid for other files, and for too many pixels. */
export async function inspectImage(path: string, { decodedFrom }: DecodeOptions = {}): Promise<SourceImage> {
  const format = IMAGE_DECODERS[await sniff(path)]
  if (!format) throw notAnImage()
  const header = await readHeader(path)
  if (header.format !== format) throw notAnImage()
  const frames = format === 'gif' || format === 'webp' ? (header.pages ?? 1) : 1
  // Animations keep their frames as they are, also where EXIF would rotate them.
  const { width, height } = frames > 1 ? header : header.autoOrient
  if (width * height > (frames > 1 ? VIDEO_MATRIX_LIMIT : IMAGE_MATRIX_LIMIT))
    throw new Invalid(message('image_dimensions', { width, height }))
  return {
    path,
    format: decodedFrom ?? (format as ImageFormat),
    width,
    height,
    frames,
    hasAlpha: header.hasAlpha,
    isPalette: header.isPalette,
    isHevc: header.compression === 'hevc',
  }
}

/** Throws Invalid, which names the field, for a file that is too large; for one that is no image, as `inspectImage`. */
export async function checkImageSize({ path, size }: ReceivedFile, field: 'file' | 'thumbnail'): Promise<void> {
  if (size <= IMAGE_SIZE_LIMIT) return
  await inspectImage(path)
  throw invalidField(field, 'file_size', { megabytes: IMAGE_SIZE_LIMIT / 1024 ** 2 })
}

/** Detects the media type by a file's bytes; empty when unknown. */
export async function sniff(path: string): Promise<string> {
  try {
    const { fileTypeFromFile } = await import('file-type')
    return (await fileTypeFromFile(path))?.mime ?? ''
  } catch (error) {
    // Malformed bytes make the library throw; only errors of the file system are failures of this server.
    if (error instanceof Error && 'syscall' in error) throw error
    return ''
  }
}

async function readHeader(path: string): Promise<Metadata> {
  try {
    // The caller applies the limit to the header, with an error that names the dimensions.
    return await openImage(path, { limitInputPixels: false }).metadata()
  } catch (error) {
    throw notAnImage(error)
  }
}

/** The result is upright, in sRGB, without metadata (EXIF, XMP, ICC). */
export function decode(source: SourceImage, options: { animated?: boolean } = {}): Sharp {
  const animated = options.animated ?? false
  return openImage(source.path, { animated, failOn: 'error', limitInputPixels: IMAGE_MATRIX_LIMIT })
    .timeout({ seconds: SECONDS_PER_IMAGE })
    .autoOrient()
}

const imageSemaphore = createSemaphore(MAX_CONCURRENT_IMAGES)

/** Turns errors of the decoder into Invalid. */
export const withImageSemaphore = <T>(work: () => Promise<T>): Promise<T> =>
  imageSemaphore(work).catch((error: unknown) => {
    throw isDecoderError(error) ? notAnImage(error) : error
  })

/** Errors of sharp and libvips are plain and have no code; those of the system (disk full, no such file) have one. */
const isDecoderError = (error: unknown): boolean =>
  error instanceof Error && error.constructor === Error && !('code' in error)

/**
 * The media process decodes a HEIC photo first, where it is available, as the image library has no HEVC decoder. Throws
 * Invalid for an image that is not accepted; too many pixels are rejected before decoding.
 */
export async function withDecodedHeic<T>(
  ctx: Context,
  path: string,
  work: (path: string, options: DecodeOptions) => Promise<T>,
): Promise<T> {
  const { isHevc, format } = await inspectImage(path)
  if (!isHevc) return work(path, {})
  if (!convertsMedia(ctx)) throw notAnImage()
  return withTemporaryFile(
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
