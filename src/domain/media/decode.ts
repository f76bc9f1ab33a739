import { fileTypeFromFile } from 'file-type'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { type Invalid, invalid, invalidRequest, problemOf } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { createSemaphore } from '../../lib/semaphore.ts'
import { IMAGE_MATRIX_LIMIT, VIDEO_MATRIX_LIMIT } from './limits.ts'
import { IMAGE_DECODERS } from './types.ts'

// Only these decoders ever see foreign bytes; the library brings SVG, TIFF and others that nobody may reach.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadWebp',
    'VipsForeignLoadHeif',
  ],
})
// Every upload is another file, so a cache only holds memory; one thread per image, as several images go at once.
sharp.cache(false)
sharp.concurrency(1)

const SECONDS_PER_IMAGE = 30
/** Each holds a thread of libuv's pool of four, which files, names and passwords need as well. */
const IMAGES_AT_ONCE = 2

export type ImageFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'heif'

/** An image file that may be decoded. Width and height are those it is seen with, after its EXIF orientation. */
export type SourceImage = {
  path: string
  format: ImageFormat
  width: number
  height: number
  frames: number
  hasAlpha: boolean
  isPalette: boolean
  /** Whether the image library reads the header only, as it has no HEVC decoder. */
  isHevc: boolean
}

/** Set for a file that the media process has decoded: the format that the upload came in. */
export type DecodeOptions = { decodedFrom?: ImageFormat }

export const notAnImage = (cause?: unknown): Invalid => {
  const error = invalid([problemOf('file', message('content_type_invalid')), problemOf('file', message('invalid'))])
  error.cause = cause
  return error
}

/**
 * Looks at a file without decoding it. Its bytes say what it is, never its name. Throws Invalid for whatever is no image we
 * take, or has too many pixels.
 */
export async function inspectImage(path: string, { decodedFrom }: DecodeOptions = {}): Promise<SourceImage> {
  const format = IMAGE_DECODERS[await sniff(path)]
  if (!format) throw notAnImage()
  const header = await readHeader(path)
  if (header.format !== format) throw notAnImage()
  const frames = format === 'gif' || format === 'webp' ? (header.pages ?? 1) : 1
  // Frames of an animation are stored as they are, also where EXIF would turn them.
  const { width, height } = frames > 1 ? header : header.autoOrient
  if (width * height > (frames > 1 ? VIDEO_MATRIX_LIMIT : IMAGE_MATRIX_LIMIT))
    throw invalidRequest('image_dimensions', { width, height })
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

/** What a file is, by its bytes; empty when nobody knows. */
export async function sniff(path: string): Promise<string> {
  try {
    return (await fileTypeFromFile(path))?.mime ?? ''
  } catch (error) {
    // Bytes can lead the sniffer astray; a file that cannot be read is a failure of ours.
    if (error instanceof Error && 'syscall' in error) throw error
    return ''
  }
}

async function readHeader(path: string): Promise<Metadata> {
  try {
    // Only the header is read here, and the limit is applied to it by the caller, with a text that says so.
    return await sharp(path, { limitInputPixels: false }).metadata()
  } catch (error) {
    throw notAnImage(error)
  }
}

/** A decoder for an inspected file, upright and in sRGB. All metadata (EXIF, XMP, ICC) stays behind when it is encoded again. */
export function decode(source: SourceImage, options: { animated?: boolean } = {}): Sharp {
  const animated = options.animated ?? false
  return sharp(source.path, { animated, failOn: 'error', limitInputPixels: IMAGE_MATRIX_LIMIT })
    .timeout({ seconds: SECONDS_PER_IMAGE })
    .autoOrient()
}

const imageSemaphore = createSemaphore(IMAGES_AT_ONCE)

/** Runs image work, a few at a time in this process. What the image library says against a file becomes Invalid. */
export const withImageSemaphore = <T>(work: () => Promise<T>): Promise<T> =>
  imageSemaphore(work).catch((error: unknown) => {
    throw isDecoderError(error) ? notAnImage(error) : error
  })

/** Errors of sharp and libvips are plain and have no code; those of the system (disk full, no such file) have one. */
const isDecoderError = (error: unknown): boolean =>
  error instanceof Error && error.constructor === Error && !('code' in error)
